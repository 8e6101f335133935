"""The engine has its own words in every language of the service."""

from domain.shared.languages import LANGUAGES
from layout.captions import CAPTIONS


def test_every_language_has_all_words() -> None:
    assert list(CAPTIONS) == list(LANGUAGES)
    for captions in CAPTIONS.values():
        assert all(captions)
        page = captions.page_of.format(number=7, total=12)
        assert "7" in page.replace("12", "")
        assert "12" in page
