"""What Unicode says about a text: its direction, where its lines may end, what a reader takes for one character.

The rules come from ICU: UAX 9 (levels), UAX 14 with dictionaries for scripts without spaces (line ends), UAX 29
(clusters), UAX 24 (scripts). Positions are counted in code points. Not safe for threads, like all that draws.
"""

import re
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate
from typing import Any


@cache
def _icu() -> Any:  # noqa: ANN401  # ICU ships no types
    """Loaded by the first text that needs it: most are plain."""
    return import_module("icu")


COMMON = frozenset({"Zyyy", "Zinh", "Zzzz"})
"""Scripts of characters that belong to whatever stands around them."""

_TURNS = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u2067\u2068\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters and signs that make a text, or a part of it, run from right to left."""

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def levels_of(text: str) -> tuple[int, bytes]:
    """The level of the paragraph, odd if it runs from right to left as its first strong letter does, and of each
    character.
    """
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
    """Whether `text` reads from right to left: its first strong letter does."""
    return levels_of(text)[0] % 2 == 1


def isolated(text: str) -> str:
    """`text`, so that what stands beside it on a line keeps its own direction (UAX 9, isolates)."""
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}" if _TURNS.search(text) else text


def line_ends(text: str) -> list[int]:
    """Where a line of `text` may end; the last is the end of the text."""
    return _boundaries(_line_rules(), text)


def cluster_ends(text: str) -> list[int]:
    """Where the characters end as readers see them: an emoji of many parts is one, a letter with its marks too."""
    return list(range(1, len(text) + 1)) if text.isascii() else _boundaries(_cluster_rules(), text)


@lru_cache(maxsize=20_000)
def script_of(character: str) -> str:
    """The four letters of its script, such as `Arab`."""
    name: str = _icu().Script.getScript(character).getShortName()
    return name


@lru_cache(maxsize=5_000)
def is_emoji(character: str) -> bool:
    """Whether it is a picture unless the text asks for a sign."""
    found: bool = _icu().Char.hasBinaryProperty(character, _icu().UProperty.EMOJI_PRESENTATION)
    return found


def _boundaries(rules: Any, text: str) -> list[int]:  # noqa: ANN401  # see above
    rules.setText(text)
    ends: list[int] = list(rules)
    if not text or max(text) <= "\uffff":
        return ends
    position = {units: at for at, units in enumerate(_units(text), start=1)}
    return [position[end] for end in ends]


def _units(text: str) -> list[int]:
    """How many UTF-16 units lie before the end of each character: ICU counts in these."""
    return list(accumulate(2 if character > "\uffff" else 1 for character in text))


@cache
def _line_rules() -> Any:  # noqa: ANN401  # ICU ships no types
    return _icu().BreakIterator.createLineInstance(_icu().Locale.getRoot())


@cache
def _cluster_rules() -> Any:  # noqa: ANN401  # ICU ships no types
    return _icu().BreakIterator.createCharacterInstance(_icu().Locale.getRoot())
