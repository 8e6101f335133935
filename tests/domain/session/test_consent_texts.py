"""The consent texts: what recipients agreed to stays what it was."""

import pytest
import rfc8785

from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION, consent_version, find_consent_text
from domain.shared.object_names import digest
from domain.texts.languages import ENGLISH, LANGUAGES

DIGESTS = {
    "2026-11-21": "b23e8a41f19d7831e52276e0f1624138f1a62c58bd4072fd9be80014aad1fdf4",
    "2026-11-27": "2658bd46743fd536893191667c9d6d1833f66e0bc741c205eb05472c03f8844c",
}
"""The digest of the texts of each version. A published text never changes: another wording is another version."""


def test_every_version_has_the_texts_that_were_agreed_to() -> None:
    found = {version: digest(rfc8785.dumps(dict(texts))) for version, texts in CONSENT_TEXTS.items()}

    assert found == DIGESTS, "add a version to CONSENT_TEXTS; put its digest here before it is published"


@pytest.mark.parametrize("version", CONSENT_TEXTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_is_found_by_its_version_and_language(version: str, language: str) -> None:
    named = consent_version(language).replace(CONSENT_VERSION, version)
    assert find_consent_text(named) == (language, CONSENT_TEXTS[version][language])


@pytest.mark.parametrize("version", [None, "", "2026-11-20", "2026-11-21/xx", "2026-11-21/en/de", "/de"])
def test_another_version_has_no_text(version: str | None) -> None:
    assert find_consent_text(version) is None
    assert consent_version(ENGLISH) == CONSENT_VERSION
