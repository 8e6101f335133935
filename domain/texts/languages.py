"""The languages of pages, emails, certificates and printed captions, as BCP 47 tags, and messages to translate."""

from collections.abc import Mapping

ENGLISH = "en"

LANGUAGES: Mapping[str, str] = {
    ENGLISH: "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "pt": "Português (Brasil)",
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
"""All languages with their own names. English is the source language of the translations."""

_RIGHT_TO_LEFT = frozenset({"ar", "he"})


def direction_of(language: str) -> str:
    """Returns the direction in which `language` is written, `rtl` or `ltr`."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"


TAGS: Mapping[str, str] = {"pt": "pt-BR"}
"""Tags of the texts of the service where they name a country."""

_OTHER_TAGS = {"iw": "he", "zh": "zh-Hans", "zh-cn": "zh-Hans", "zh-sg": "zh-Hans", "zh-my": "zh-Hans"}
_NO_TAGS = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Tags of traditional Chinese, which must not match simplified Chinese."""


_KNOWN = {language.lower(): language for language in LANGUAGES} | _OTHER_TAGS
_MAX_SUBTAGS = max(tag.count("-") for tag in _KNOWN) + 1


def find_language(tag: str) -> str | None:
    """Returns the language that matches the longest prefix of `tag` (BCP 47); None if there is none."""
    tag = tag.strip().lower()
    if tag.startswith(_NO_TAGS):
        return None
    subtags = tag.split("-", _MAX_SUBTAGS)[:_MAX_SUBTAGS]
    prefixes = ("-".join(subtags[:count]) for count in range(len(subtags), 0, -1))
    return next((_KNOWN[prefix] for prefix in prefixes if prefix in _KNOWN), None)


def is_chinese(tag: str) -> bool:
    """Returns whether `tag` (BCP 47) is one of Chinese, in any script."""
    return tag.lower().partition("-")[0] == "zh"


def marked(message: str) -> str:
    """Marks `message` for extraction by `make catalogues`, and returns it unchanged."""
    return message
