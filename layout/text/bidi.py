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

_LETTERS = "\u05d0-\u05ea\u0621-\u064a"
_POINTS = "\u05b0-\u05bd\u05bf\u064b-\u0652"
_ALL_BACKWARDS = re.compile(f"[ {_POINTS}]*[{_LETTERS}][ {_POINTS}{_LETTERS}]*")
"""Words of Hebrew and Arabic: by far the most lines from right to left. ICU is not needed for them."""

_MAX_OPEN = 63
_PAIRS = (
    "()[]{}\u0f3a\u0f3b\u0f3c\u0f3d\u169b\u169c\u2045\u2046\u207d\u207e\u208d\u208e\u2308\u2309\u230a\u230b\u2329\u232a"
    + "".join(map(chr, (*range(0x2768, 0x2776), *range(0x27C5, 0x27C7), *range(0x27E6, 0x27F0))))
    + "".join(map(chr, (*range(0x2983, 0x298E), 0x2990, 0x298F, 0x298E, *range(0x2991, 0x2999))))
    + "".join(map(chr, (*range(0x29D8, 0x29DC), 0x29FC, 0x29FD, *range(0x2E22, 0x2E2A), *range(0x2E55, 0x2E5D))))
    + "".join(map(chr, (*range(0x3008, 0x3012), *range(0x3014, 0x301C), *range(0xFE59, 0xFE5F), 0xFF08, 0xFF09)))
    + "\uff3b\uff3d\uff5b\uff5d\uff5f\uff60\uff62\uff63"
)
"""The brackets that UAX 9 pairs, each opening one before its closing one. A test compares them with ICU."""

_OPENING = _PAIRS[::2]
_CLOSING = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_PLAIN_BRACKETS = {"\u232a": "\u3009"}  # canonical equivalents, which pair with each other
_BRACKETS = re.compile(f"[{re.escape(_PAIRS)}]")

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def levels_of(text: str) -> tuple[int, bytes]:
    """Returns the level of the paragraph and of each character; odd levels run from right to left."""
    if not _TURNS.search(text):
        return 0, bytes(len(text))
    if _ALL_BACKWARDS.fullmatch(text):
        return 1, b"\1" * len(text)
    written = icu().UnicodeString(_with_few_open_brackets(text))
    bidi = icu().Bidi()
    bidi.setPara(written, icu().Bidi.DEFAULT_LTR)
    levels = bidi.getLevels()
    if len(levels) != len(text):
        levels = bytes(levels[start] for start in (0, *utf16_ends(text)[:-1]))
    return bidi.getParaLevel(), bytes(levels)


def _with_few_open_brackets(text: str) -> str:
    """Returns `text` with another neutral character for brackets from the place where more than 63 are open.

    UAX 9 (BD16) stops to look for pairs of brackets there. ICU does not, and takes quadratic time.
    """
    if len(text) <= _MAX_OPEN or sum(map(text.count, _OPENING)) <= _MAX_OPEN:
        return text
    expected: list[str] = []
    for found in _BRACKETS.finditer(text):
        bracket = found[0]
        if bracket in _OPENING:
            expected.append(_PLAIN_BRACKETS.get(_CLOSING[bracket], _CLOSING[bracket]))
            if len(expected) > _MAX_OPEN:
                return text[: found.start()] + _BRACKETS.sub("!", text[found.start() :])
            continue
        closing = _PLAIN_BRACKETS.get(bracket, bracket)
        if closing in expected:
            while expected.pop() != closing:
                pass
    return text


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
