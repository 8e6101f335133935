"""Bidi levels, line break opportunities, grapheme clusters and scripts of texts.

The rules come from ICU: UAX 9 (levels), UAX 14 with dictionaries for scripts without spaces (line ends), UAX 29
(clusters), UAX 24 (scripts). Positions count code points. Not thread-safe.

"""

import re
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate
from typing import Any


@cache
def _icu() -> Any:  # noqa: ANN401  # ICU ships no types
    """Imports ICU when first needed; most texts are plain."""
    return import_module("icu")


COMMON = frozenset({"Zyyy", "Zinh", "Zzzz"})
"""Scripts of characters that take the script of adjacent characters."""

_TURNS = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u2067\u2068\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Characters that make a text, or a part of it, run from right to left."""

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def levels_of(text: str) -> tuple[int, bytes]:
    """Returns the level of the paragraph and of each character; odd levels run from right to left."""
    if not _TURNS.search(text):
        return 0, bytes(len(text))
    written = _icu().UnicodeString(text)
    bidi = _icu().Bidi()
    bidi.setPara(written, _icu().Bidi.DEFAULT_LTR)
    levels = bidi.getLevels()
    if len(levels) != len(text):
        levels = bytes(levels[start] for start in (0, *_units(text)[:-1]))
    return bidi.getParaLevel(), bytes(levels)


def reads_backwards(text: str) -> bool:
    """Whether `text` reads from right to left, by its first strong letter."""
    return levels_of(text)[0] % 2 == 1


def isolated(text: str) -> str:
    """Isolates the direction of `text` from adjacent text on a line (UAX 9, isolates)."""
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}" if _TURNS.search(text) else text


def line_ends(text: str, language: str | None = None) -> list[int]:
    """Returns the positions where a line of `text` may end, the end of the text included.

    `language` is a BCP 47 tag. Japanese and Chinese have rules of their own.
    """
    return _boundaries("createLineInstance", text, language)


def cluster_ends(text: str) -> list[int]:
    """Returns the ends of grapheme clusters, such as an emoji of several parts or a letter with its marks."""
    return list(range(1, len(text) + 1)) if text.isascii() else _boundaries("createCharacterInstance", text)


@lru_cache(maxsize=20_000)
def script_of(character: str) -> str:
    """Returns the four-letter code of a script, such as `Arab`."""
    name: str = _icu().Script.getScript(character).getShortName()
    return name


@lru_cache(maxsize=5_000)
def is_emoji(character: str) -> bool:
    """Whether `character` is presented as an emoji by default."""
    is_picture: bool = _icu().Char.hasBinaryProperty(character, _icu().UProperty.EMOJI_PRESENTATION)
    return is_picture


def _boundaries(rules: str, text: str, language: str | None = None) -> list[int]:
    iterator = _iterator(rules, language)
    iterator.setText(text)
    ends: list[int] = list(iterator)
    if not text or max(text) <= "\uffff":
        return ends
    position = {units: at for at, units in enumerate(_units(text), start=1)}
    return [position[end] for end in ends]


def _units(text: str) -> list[int]:
    """Returns the number of UTF-16 units up to the end of each character, in which ICU counts."""
    return list(accumulate(2 if character > "\uffff" else 1 for character in text))


@cache
def _iterator(rules: str, language: str | None) -> Any:  # noqa: ANN401  # ICU ships no types
    locale = _icu().Locale.forLanguageTag(language) if language else _icu().Locale.getRoot()
    return getattr(_icu().BreakIterator, rules)(locale)
