"""Levels of texts with many brackets: the same as those of ICU, in linear time."""

import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from layout.text import bidi
from layout.text.bidi import levels_of
from layout.text.unicode_properties import icu


def test_the_paired_brackets_are_those_of_unicode() -> None:
    property_ = icu().UProperty.BIDI_PAIRED_BRACKET_TYPE
    found = {
        chr(code): icu().Char.getIntPropertyValue(chr(code), property_)
        for code in range(0x30000)
        if icu().Char.getIntPropertyValue(chr(code), property_) and not 0xD800 <= code < 0xE000
    }
    opening = {bracket for bracket, type_ in found.items() if type_ == 1}
    assert opening == set(bidi._OPENING)
    assert {one: icu().Char.getBidiPairedBracket(one) for one in opening} == bidi._CLOSING
    assert sys.maxunicode > 0x30000


@given(st.text(st.sampled_from("\u05d0a1([)] {}\u2329\u3009"), max_size=120))
def test_texts_with_few_open_brackets_are_left_alone(text: str) -> None:
    assert len(bidi._with_few_open_brackets(text)) == len(text)
    if sum(map(text.count, bidi._OPENING)) <= 63:
        assert bidi._with_few_open_brackets(text) == text


def test_pairs_that_close_again_are_kept_however_many_they_are() -> None:
    text = "\u05d0(a)[1]" * 500
    assert bidi._with_few_open_brackets(text) == text
    assert len(levels_of("\u05d0(" * 500)[1]) == 1000


@given(
    st.text(st.sampled_from("\u05d0\u05b0\u05bd\u05bf\u05ea\u0621\u0640\u064a\u064b\u0652 "), min_size=1, max_size=30)
)
def test_levels_of_words_from_right_to_left_are_those_of_icu(text: str) -> None:
    expected = icu().Bidi()
    expected.setPara(icu().UnicodeString(text), icu().Bidi.DEFAULT_LTR)
    assert levels_of(text) == (expected.getParaLevel(), bytes(expected.getLevels()))


def test_letters_of_such_words_are_strong_and_their_marks_are_not() -> None:
    def directions(pattern: str) -> set[int]:
        inside = re.compile(f"[{pattern}]")
        return {icu().Char.charDirection(one) for one in map(chr, range(0x590, 0x700)) if inside.fullmatch(one)}

    strong = {int(icu().UCharDirection.RIGHT_TO_LEFT), int(icu().UCharDirection.RIGHT_TO_LEFT_ARABIC)}
    assert directions(bidi._LETTERS) == strong
    assert directions(bidi._POINTS) == {int(icu().UCharDirection.DIR_NON_SPACING_MARK)}
