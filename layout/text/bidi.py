"""The direction of text: embedding levels, visual order and isolates (UAX 9, by ICU).

Positions count code points. Not thread-safe.
"""

import re
from collections.abc import Sequence

from layout.text.unicode_properties import icu, utf16_ends

_TURNS = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u2067\u2068\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Characters that make a text, or a part of it, run from right to left."""

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def levels_of(text: str) -> tuple[int, bytes]:
    """Returns the level of the paragraph and of each character; odd levels run from right to left."""
    if not _TURNS.search(text):
        return 0, bytes(len(text))
    written = icu().UnicodeString(text)
    bidi = icu().Bidi()
    bidi.setPara(written, icu().Bidi.DEFAULT_LTR)
    levels = bidi.getLevels()
    if len(levels) != len(text):
        levels = bytes(levels[start] for start in (0, *utf16_ends(text)[:-1]))
    return bidi.getParaLevel(), bytes(levels)


def reads_backwards(text: str) -> bool:
    """Whether `text` reads from right to left, by its first strong letter."""
    return levels_of(text)[0] % 2 == 1


def isolated(text: str) -> str:
    """Isolates the direction of `text` from adjacent text on a line (UAX 9, isolates)."""
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}" if _TURNS.search(text) else text


def visual_order(levels: Sequence[int]) -> Sequence[int]:
    """Returns the visual order by rule L2 of UAX 9: reverses runs from the highest level down."""
    order = list(range(len(levels)))
    for level in range(max(levels), 0, -1):
        begin = 0
        for at in range(len(order) + 1):
            if at == len(order) or levels[order[at]] < level:
                order[begin:at] = order[begin:at][::-1]
                begin = at + 1
    return order
