"""The languages of pages, emails, certificates and printed captions, as BCP 47 tags."""

from collections.abc import Mapping

ENGLISH = "en"

LANGUAGES: Mapping[str, str] = {
    ENGLISH: "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "pt": "Português",
    "nl": "Nederlands",
    "pl": "Polski",
    "da": "Dansk",
    "sv": "Svenska",
    "uk": "Українська",
    "ar": "العربية",
    "he": "עברית",
    "ja": "日本語",
    "zh-Hans": "简体中文",
}
"""All languages, each with its name in itself. English is the source of the others."""

_RIGHT_TO_LEFT = frozenset({"ar", "he"})


def direction_of(language: str) -> str:
    """Returns the direction in which `language` is written, `rtl` or `ltr`."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"
