"""Letters as glyphs: what each script asks of the engine that draws it, seen in the glyphs themselves."""

import pytest

from layout.text.bidi import levels_of
from layout.text.font_fallback import EAST_ASIAN, fallback_fonts, han_of
from layout.text.fonts import Face, Han
from layout.text.glyph_runs import Run, Shaper, shape
from layout.text.unicode_properties import script_of


def runs(text: str, face: Face = Face.REGULAR, han: Han = Han.SIMPLIFIED) -> tuple[Run, ...]:
    return Shaper(face, han)[text, levels_of(text)[1]].runs


def glyphs(text: str) -> list[int]:
    """The numbers of the glyphs from left to right."""
    return [glyph.key[0] for run in runs(text) for glyph in run.glyphs]


def copied(text: str) -> str:
    """What the glyphs give back, each in the order it is read."""
    parts = []
    for run in runs(text):
        texts = [glyph.text for glyph in run.glyphs]
        parts += reversed(texts) if run.level % 2 else texts
    return "".join(parts)


def fonts(text: str, face: Face = Face.REGULAR, han: Han = Han.SIMPLIFIED) -> list[str]:
    return [run.variant.name for run in runs(text, face, han)]


def test_arabic_letters_join_from_right_to_left() -> None:
    (run,) = runs("سلم")
    assert [glyph.text for glyph in run.glyphs] == ["م", "ل", "س"]
    alone = glyphs("ب")
    (last, middle, first) = glyphs("ببب")
    assert len({*alone, first, middle, last}) == 4


def test_lam_and_alef_become_one_glyph_beside_one_that_is_not_drawn_and_holds_the_second_letter() -> None:
    (run,) = runs("لا")
    assert [glyph.text for glyph in run.glyphs] == ["ا", "ل"]
    assert [glyph.key[0] == run.variant.zero_width_glyph for glyph in run.glyphs] == [True, False]
    assert run.width == run.glyphs[1].advance


def test_brackets_are_mirrored_where_text_runs_from_right_to_left() -> None:
    left, *_, right = glyphs("(אב)")
    assert (left, right) == (glyphs("(")[0], glyphs(")")[0])


def test_numbers_in_hebrew_run_from_left_to_right() -> None:
    levels = {run.glyphs[0].text: run.level for run in runs("אב 12 גד")}
    assert levels["1"] == 2


def test_a_devanagari_vowel_may_stand_before_its_consonant_and_consonants_become_one() -> None:
    (consonant,) = glyphs("क")
    vowel, after = glyphs("कि")
    assert after == consonant != vowel
    assert len(glyphs("क्ष")) == 1


def test_marks_stand_over_their_letter_without_moving_on() -> None:
    (run,) = runs("น้")
    letter, mark = run.glyphs
    assert (letter.advance > 0, mark.advance) == (True, 0)
    (run,) = runs("x\u0302")
    letter, mark = run.glyphs
    assert run.width == letter.advance
    assert mark.x < 0


def test_emoji_of_many_parts_are_one_glyph() -> None:
    assert [len(glyphs(text)) for text in ("👨‍👩‍👧", "👍🏽", "🇳🇴", "1️⃣")] == [1, 1, 1, 1]


def test_each_script_finds_its_font() -> None:
    found = {text: fonts(text)[0] for text in ("Ж", "ש", "ब", "বা", "Հ", "中", "ꜧ", "☑", "𝛼", "♫", "🙂")}
    assert found == {
        "Ж": "FiraGO-Regular",
        "ש": "FiraGO-Regular",
        "ब": "FiraGO-Regular",
        "বা": "NotoSansBengali-Regular",
        "Հ": "NotoSansArmenian-Regular",
        "中": "NotoSansCJK-Simplified-Regular",
        "ꜧ": "NotoSans-Regular",
        "☑": "NotoSansSymbols2-Regular",
        "𝛼": "NotoSansMath-Regular",
        "♫": "NotoSansCJK-Simplified-Regular",
        "🙂": "NotoEmoji-Regular",
    }


def test_a_sign_is_a_picture_where_the_text_asks_for_one_and_bold_text_is_bold_in_every_script() -> None:
    assert fonts("⚖\ufe0f") == ["NotoEmoji-Regular"]
    assert fonts("⌚\ufe0e") != ["NotoEmoji-Regular"]
    assert fonts("中", Face.BOLD) == ["NotoSansCJK-Simplified-Bold"]
    assert fonts("বা", Face.BOLD) == ["NotoSansBengali-Bold"]


def test_ideographs_take_the_shapes_of_the_language_around_them() -> None:
    assert han_of(["直接", "です"]) is Han.JAPANESE
    assert han_of(["直接", "한국어"]) is Han.KOREAN
    assert han_of(["合同条款"]) is Han.SIMPLIFIED
    assert han_of(["合約條款"]) is Han.TRADITIONAL
    assert han_of(["Latin"]) is Han.SIMPLIFIED
    shapes = {han: runs("直", han=han)[0].glyphs[0].key[0] for han in (Han.JAPANESE, Han.SIMPLIFIED)}
    assert len(set(shapes.values())) == 2


def test_glyphs_give_back_their_text() -> None:
    for text in (
        "السلام لا",
        "हिन्दी क्षत्रिय कृत्रिम",
        "สวัสดีชั้น น้ำ",
        "x\u0302 fi",
        "👨‍👩‍👧🇳🇴1️⃣",
        "日本「国」",
        "မြန်မာ ខ្មែរ தொ",
    ):
        assert copied(text).replace("\u200b", "") == text


@pytest.mark.parametrize("han", Han)
def test_an_east_asian_character_alone_has_the_run_that_shaping_gives(han: Han) -> None:
    fonts = fallback_fonts(Face.REGULAR, han)
    shaper = Shaper(Face.REGULAR, han)
    for character in filter(EAST_ASIAN.match, fonts.east_asian.covers):
        assert fonts.of(character) is fonts.east_asian
        shaped = shape(fonts.east_asian, script_of(character), 0, character)
        (run,) = shaper[character, b"\0"].runs
        assert (run.variant, run.glyphs, run.width) == (shaped.variant, shaped.glyphs, shaped.width)
