"""Combining marks: orthographies are accepted, stacks are refused, and normalisation is that of Unicode."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.texts.combining_marks import MARK_WINDOWS, MAX_MARKS, has_too_many_marks, normalized

ORTHOGRAPHIES = {
    "Vietnamese, decomposed": "e\u0323\u0302 o\u031b\u0301",
    "Yoruba": "e\u0323\u0300ko\u0323\u0301",
    "Hebrew with cantillation": "\u05d1\u05bc\u05b0\u05e8\u05b5\u05d0\u05e9\u05c1\u05b4\u0596\u05d9\u05ea "
    "\u05e9\u05c1\u05bc\u05b8\u05bd\u0591\u05c4",
    "Arabic of the Quran": "\u0645\u0651\u0650\u06e2\u0646\u06e2 \u0623\u064f\u0648\u06df\u0644\u064e\u0670\u0653",
    "Burmese": "\u1000\u103b\u103d\u103e\u102d\u102f\u1037\u103a",
    "Khmer": "\u179f\u17d2\u178f\u17d2\u179a\u17b8\u17c6\u17c8",
    "Tibetan": "\u0f66\u0f92\u0fb2\u0f74\u0f56",
    "phonetic": "t\u032a\u0361\u0283\u02bc \u0254\u0330\u0303\u0301\u02d0",
    "a keycap and a family": "1\ufe0f\u20e3 \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a flag of tags": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
}


@pytest.mark.parametrize("name", ORTHOGRAPHIES)
def test_no_orthography_has_too_many_marks(name: str) -> None:
    assert not has_too_many_marks(ORTHOGRAPHIES[name])


@pytest.mark.parametrize("between", ["", "\u200d", "\u200b", "\u2060", "\u202a"])
@pytest.mark.parametrize("mark", ["\u0305", "\u0338", "\u20dd", "\u0e35", "\u05b0", "\ufe0f", "\u034f"])
def test_a_stack_is_refused_whatever_invisible_characters_it_holds(mark: str, between: str) -> None:
    assert not has_too_many_marks(f"W{(mark + between) * MAX_MARKS}a")
    assert has_too_many_marks(f"W{(mark + between) * (MAX_MARKS + 1)}a")


def test_the_searched_windows_hold_all_marks_and_format_characters() -> None:
    searched = {code for window in MARK_WINDOWS for code in range(*window)}
    sought = {code for code in range(0x110000) if unicodedata.category(chr(code)) in {"Mn", "Mc", "Me", "Cf"}}
    assert sought <= searched


_WRITTEN = st.text(st.sampled_from("ae\u0301\u0323\u0344\u1100\u1161\u11a8\ufb01\u03d3\u0f71\u0f72 ")).filter(
    lambda text: len(text) < 30
)


@given(_WRITTEN)
def test_ordinary_texts_are_normalised_as_unicode_says(text: str) -> None:
    assert normalized("NFC", text) == unicodedata.normalize("NFC", text)
    assert normalized("NFKD", text) == unicodedata.normalize("NFKD", text)


@given(st.text(st.sampled_from("a\u0301\u0323"), min_size=40, max_size=200))
def test_normalising_again_changes_nothing(text: str) -> None:
    once = normalized("NFC", text)
    assert normalized("NFC", once) == once


@given(st.text(st.sampled_from("a\u0301\u0323\u034f\uff9e"), max_size=120))
def test_a_character_beyond_the_first_plane_changes_nothing_before_it(text: str) -> None:
    for form in ("NFC", "NFKD"):
        assert normalized(form, text + "\U00010000") == normalized(form, text) + "\U00010000"
    assert has_too_many_marks(text + "\U00010000") == has_too_many_marks(text)
    assert has_too_many_marks("\U0001d165" * (MAX_MARKS + 1))
