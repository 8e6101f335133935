"""Strings of text show codes that the font has."""

import pytest

from application.uploads.text_strings import Font

_LETTERS = Font(b"ab\n()")
_PAIRS = Font(size=2)


@pytest.mark.parametrize(
    ("font", "operands"),
    [
        (_LETTERS, b"(ab)"),
        (_LETTERS, b"[(a) -9 <61 62> (b)]"),
        (_LETTERS, rb"(\141\142\n\(a(b)\))"),
        (_LETTERS, b"(a\\\nb\\\r\nb)"),
        (_LETTERS, b"() <> "),
        (_PAIRS, rb"(a\142) <00 41 0042>"),
        (Font(), b"(anything \xff)"),
        (Font(size=0), b"(abc)"),
    ],
)
def test_codes_of_the_font_are_shown(font: Font, operands: bytes) -> None:
    assert font.has_codes(operands)


@pytest.mark.parametrize(
    ("font", "operands"),
    [
        (_LETTERS, b"(abc)"),
        (_LETTERS, b"[(a) -9 <6163>]"),
        (_LETTERS, rb"(a\143)"),
        (_LETTERS, rb"(\t)"),
        (_LETTERS, b"(a\r)"),
        (_LETTERS, rb"(a\0)"),
        (_PAIRS, b"(abc)"),
        (_PAIRS, b"<004100>"),
        (_PAIRS, b"[(a)(b)]"),
    ],
)
def test_others_are_not(font: Font, operands: bytes) -> None:
    assert not font.has_codes(operands)
