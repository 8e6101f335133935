"""What recipients agree to exists in every language, and a published text does not change."""

from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION
from domain.shared.languages import LANGUAGES


def test_every_language_has_the_current_text() -> None:
    assert set(CONSENT_TEXTS[CONSENT_VERSION]) == set(LANGUAGES)
    assert len(set(CONSENT_TEXTS[CONSENT_VERSION].values())) == len(LANGUAGES)
