"""Line break opportunities, grapheme clusters and scripts of texts. `layout.text.bidi` has directions.

The rules come from ICU: UAX 14 with dictionaries for scripts without spaces (line ends), UAX 29
(clusters), UAX 24 (scripts). Positions count code points. Not thread-safe.
"""

from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate
from typing import Any


@cache
def icu() -> Any:  # noqa: ANN401  # ICU ships no types
    """Imports ICU when first needed; most texts are plain."""
    return import_module("icu")


COMMON = frozenset({"Zyyy", "Zinh", "Zzzz"})
"""Scripts of characters that take the script of adjacent characters."""


def cluster_ends(text: str) -> list[int]:
    """Returns the ends of grapheme clusters, such as an emoji of several parts or a letter with its marks."""
    if text.isascii() or len(text) == 1:
        return list(range(1, len(text) + 1))
    return boundaries("createCharacterInstance", text)


@lru_cache(maxsize=20_000)
def script_of(character: str) -> str:
    """Returns the four-letter code of a script, such as `Arab`."""
    name: str = icu().Script.getScript(character).getShortName()
    return name


@lru_cache(maxsize=5_000)
def is_emoji(character: str) -> bool:
    """Whether `character` is presented as an emoji by default."""
    is_picture: bool = icu().Char.hasBinaryProperty(character, icu().UProperty.EMOJI_PRESENTATION)
    return is_picture


def boundaries(rules: str, text: str, language: str | None = None) -> list[int]:
    iterator = _iterator(rules, language)
    iterator.setText(text)
    ends: list[int] = list(iterator)
    if not text or max(text) <= "\uffff":
        return ends
    position = {units: at for at, units in enumerate(utf16_ends(text), start=1)}
    return [position[end] for end in ends]


def utf16_ends(text: str) -> list[int]:
    """Returns the number of UTF-16 units up to the end of each character, in which ICU counts."""
    return list(accumulate(2 if character > "\uffff" else 1 for character in text))


@cache
def _iterator(rules: str, language: str | None) -> Any:  # noqa: ANN401  # ICU ships no types
    locale = icu().Locale.forLanguageTag(language) if language else icu().Locale.getRoot()
    return getattr(icu().BreakIterator, rules)(locale)
