"""Combining marks: how many may follow one letter, and normalisation in linear time.

Marks of one letter stack. Without a limit they cover adjacent lines, and sorting them (UAX 15, canonical ordering)
takes time quadratic in their number.
"""

import re
import sys
import unicodedata
from collections.abc import Container
from functools import cache
from itertools import chain
from typing import Literal

MAX_MARKS = 8
"""Maximum combining marks in a row. Pointed Hebrew with cantillation and Burmese have six or seven, others fewer."""

TOO_MANY_MARKS = f"More than {MAX_MARKS} combining marks follow one letter. Remove some of them."

_STREAM_SAFE = 30  # marks in a row that the Stream-Safe Text Format permits, UAX 15, 13
_HALF_WIDTH_MARKS = "\uff9e\uff9f"  # letters that become marks in NFKC and NFKD
_JOINER = "\u034f"  # the combining grapheme joiner, which separates runs of marks invisibly
_MARKS = frozenset({"Mn", "Mc", "Me"})
_FORMAT = "Cf"
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")

MARK_WINDOWS = (
    (0x00AD, 0x00AE), (0x0300, 0x2070), (0x20D0, 0x2100), (0x2CE0, 0x3100), (0xA660, 0xABF0), (0xFB1E, 0xFB1F),
    (0xFE00, 0xFE30), (0xFEFF, 0xFF00), (0xFFF0, 0x10000), (0x10100, 0x12000), (0x13400, 0x13480),
    (0x16100, 0x17000), (0x1BC00, 0x1BD00), (0x1CF00, 0x1D300), (0x1DA00, 0x1EA00), (0xE0000, 0xE0200),
)  # fmt: skip
"""Ranges of code points that contain all marks and format characters; looking at all code points takes too long."""


def has_too_many_marks(text: str) -> bool:
    """Whether more than `MAX_MARKS` marks stand in a row. Invisible format characters between them count as none."""
    return not text.isascii() and _too_many(_last(text)).search(text) is not None


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Returns `text` in a normalisation form of Unicode.

    Takes linear time, by the Stream-Safe Text Process (UAX 15).
    """
    if text.isascii():
        return text
    if len(text) <= _STREAM_SAFE:
        return unicodedata.normalize(form, text)
    return unicodedata.normalize(form, _not_stream_safe(_last(text)).sub(rf"\g<0>{_JOINER}", text))


def _last(text: str) -> int:
    """Returns the last code point of the plane up to which patterns are needed: those of one plane are much faster."""
    return sys.maxunicode if _BEYOND_BMP.search(text) else 0xFFFF


@cache
def _too_many(last: int) -> re.Pattern[str]:
    marks, formats = _class(_MARKS, last), _class({_FORMAT}, last)
    return re.compile(f"(?:{marks}{formats}*+){{{MAX_MARKS + 1}}}")


@cache
def _not_stream_safe(last: int) -> re.Pattern[str]:
    marks = _class(_MARKS, last, but=_JOINER, more=_HALF_WIDTH_MARKS)
    return re.compile(f"{marks}{{{_STREAM_SAFE}}}(?={marks})")


@cache
def _categories() -> dict[str, str]:
    """Returns the categories of all marks and format characters."""
    characters = map(chr, chain(*(range(*window) for window in MARK_WINDOWS)))
    categories = ((one, unicodedata.category(one)) for one in characters)
    return {one: category for one, category in categories if category in _MARKS or category == _FORMAT}


def _class(categories: Container[str], last: int, *, but: str = "", more: str = "") -> str:
    """Returns the character class of a regular expression for the characters of `categories` up to `last`."""
    found = {character for character, category in _categories().items() if category in categories and character != but}
    codes = sorted(code for code in map(ord, {*found, *more}) if code <= last)
    firsts = [code for at, code in enumerate(codes) if not at or codes[at - 1] != code - 1]
    lasts = [code for at, code in enumerate(codes) if at + 1 == len(codes) or codes[at + 1] != code + 1]
    return f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in zip(firsts, lasts, strict=True))}]"
