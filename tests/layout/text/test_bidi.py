"""Levels of texts with many brackets: the same as those of ICU, in linear time."""

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
