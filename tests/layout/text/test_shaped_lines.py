"""Where lines of shaped text end, and how their parts stand."""

import icu  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layout.text.font_fallback import INVISIBLE
from layout.text.fonts import Face, Han, ShippedFonts
from layout.text.shaped_lines import Glyphs, LineShaper
from layout.text.unicode_properties import cluster_ends
from layout.text.wrap_text import Line, shortened, width_of, wrap
from layout.theme_styles import FOOTER, Theme

SETTER = LineShaper(Face.REGULAR, Han.SIMPLIFIED)
BODY = Theme().body(10, bold=False, muted=False)
FONTS = ShippedFonts()

SAMPLES = {
    "arabic": "يتعهد المستشار بتقديم الخدمات المتفق عليها (انظر الملحق 3) إلى شركة Harbour & Finch مقابل 7,200 يورو",
    "hebrew": "היועץ מתחייב לספק את השירותים המפורטים בנספח 3 (ראה להלן) לחברת Harbour & Finch A/S תמורת 7,200 אירו",
    "hindi": "सलाहकार अनुबंध में वर्णित सेवाएँ प्रदान करेगा और प्रत्येक माह विवरण प्रस्तुत करेगा।",
    "thai": "ที่ปรึกษาตกลงให้บริการตามที่ระบุไว้ในภาคผนวก",
    "chinese": "顾问同意向客户提供附件三所述的服务，服务费为每月7,200欧元。",
    "japanese": "「本契約」に定めのない事項については、両当事者が協議のうえ決定する。",
    "korean": "본 계약에 명시되지 않은 사항은 당사자들이 협의하여 결정한다.",
    "emoji": "Signed 👨‍👩‍👧👨‍👩‍👧 👍🏽 1️⃣",
}
LINES = {
    "arabic": [
        "يتعهد المستشار بتقديم الخدمات ",
        "المتفق عليها (انظر الملحق 3) إلى ",
        "شركة Harbour & Finch مقابل 7,200 ",
        "يورو",
    ],
    "hebrew": [
        "היועץ מתחייב לספק את השירותים ",
        "המפורטים בנספח 3 (ראה להלן) ",
        "לחברת Harbour & Finch A/S ",
        "תמורת 7,200 אירו",
    ],
    "hindi": ["सलाहकार अनुबंध में वर्णित सेवाएँ प्रदान ", "करेगा और प्रत्येक माह विवरण प्रस्तुत ", "करेगा।"],
    "thai": ["ที่ปรึกษาตกลงให้บริการตามที่ระบุไว้", "ในภาคผนวก"],  # between words, which have no spaces
    "chinese": ["顾问同意向客户提供附件三所述的", "服务，服务费为每月7,200欧元。"],
    "japanese": ["「本契約」に定めのない事項につ", "いては、両当事者が協議のうえ決", "定する。"],
    "korean": ["본 계약에 명시되지 않은 사항은 당", "사자들이 협의하여 결정한다."],
    "emoji": ["Signed 👨‍👩‍👧👨‍👩‍👧 👍🏽 1️⃣"],
}


def glyphs_of(line: Line) -> Glyphs:
    assert line.glyphs is not None
    return line.glyphs


def lines(text: str, width: float = 150) -> list[str]:
    return [line.text for line in wrap(text, BODY, width, FONTS)]


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_end_where_the_script_lets_them(name: str) -> None:
    assert lines(SAMPLES[name]) == LINES[name]


def test_lines_end_by_the_rules_of_the_language_of_the_document() -> None:
    """Japanese lines may begin with a small letter or a long sound."""
    for language, ends in ((None, 4), ("de", 4), ("zh-Hans", 4), ("ja", 5)):
        (first, *_) = wrap("サービスパーティー", BODY, 51, ShippedFonts(language=language))
        assert len(first.text) == ends


def test_no_line_begins_with_a_mark_that_closes_or_ends_with_one_that_opens() -> None:
    text = "「東京」、（大阪）。" * 20
    for width in range(60, 150, 7):
        assert not any(line[0] in "」、）。" or line[-1] in "「（" for line in lines(text, width))


def test_each_paragraph_chooses_its_way_and_its_side() -> None:
    assert [line.backwards for line in wrap("English\nעברית\nשלום and more\nEnglish, שלום", BODY, 300, FONTS)] == [
        False,
        True,
        True,
        False,
    ]
    assert [line.glyphs is None for line in wrap("plain\nไทย", BODY, 300, FONTS)] == [True, False]


def test_a_line_is_no_wider_than_the_column_and_does_not_count_its_last_space() -> None:
    for text in SAMPLES.values():
        for line in wrap(text, BODY, 90, FONTS):
            assert line.width <= 90.001
            words = line.text.rstrip(" ")
            left, width, _ = glyphs_of(line).part(0, len(words))
            assert left == 0
            assert line.width == pytest.approx(width / 100)


def places(text: str) -> dict[str, int]:
    """How far from the left each run of a line of its own begins, by its text in the order it is read."""
    found = {}
    for x, run in SETTER.line(text).glyphs.runs:
        texts = [glyph.text for glyph in run.glyphs]
        found["".join(reversed(texts) if run.level % 2 else texts).strip()] = x
    return found


def test_words_of_a_text_from_right_to_left_stand_from_right_to_left() -> None:
    at = places("אחת שתיים Latin words 2026 סוף")
    assert at["אחת"] > at["שתיים"] > at["words"] > at["Latin"] > at["סוף"]


def test_the_space_at_the_end_of_a_line_from_right_to_left_sticks_out_on_the_left() -> None:
    first = wrap(SAMPLES["hebrew"], BODY, 150, FONTS)[0]
    x, space = glyphs_of(first).runs[-1]
    assert [glyph.text for glyph in space.glyphs] == [" "]
    assert x == -space.width


@pytest.mark.parametrize("text", ["क्षत्रियविवरणप्रस्तुतकरेगाअनुबंध" * 3, "👨‍👩‍👧👍🏽🇳🇴" * 20, "x\u0302\u0323" * 40])
def test_a_word_longer_than_a_line_is_cut_between_characters_as_readers_see_them(text: str) -> None:
    for width in (20, 33, 60):
        variant = lines(text, width)
        assert "".join(variant) == text
        ends = set(cluster_ends(text))
        at = 0
        for line in variant:
            at += len(line)
            assert at in ends


def test_a_label_is_shortened_between_characters_as_readers_see_them() -> None:
    text = "👨‍👩‍👧" * 40
    for width in range(40, 90, 3):
        short = shortened(text, " — 1", FOOTER, width, FONTS)
        assert width_of(short, FOOTER, FONTS) <= width
        assert len(short.removesuffix("… — 1")) % len("👨‍👩‍👧") == 0


def test_a_label_that_fits_is_not_shortened() -> None:
    assert shortened("תווית", " — 1", FOOTER, 200, FONTS) == "תווית — 1"


LETTERS = st.sampled_from("aé 1.-/(“אבםשׁرسلاَ،٣क्षिनน้าก漢字かな。「한글👍🏽👨\u200d👩🇳🇴1️⃣\u200b\u200f\u2067\u2069\u3000\n")


@settings(deadline=None)
@given(text=st.text(LETTERS, max_size=60), width=st.floats(5, 120))
def test_no_text_is_lost_or_doubled_whatever_scripts_it_mixes(text: str, width: float) -> None:
    found = wrap(text, BODY, width, FONTS)
    broken = "".join(f"{line.text}\n" if line.ends_paragraph else line.text for line in found)
    assert broken == f"{text}\n"


def seen(text: str) -> str:
    """`text` without the characters that have no mark of their own."""
    return "".join(character for character in text if character not in INVISIBLE)


@settings(deadline=None)
@given(text=st.text(LETTERS, max_size=40), width=st.floats(20, 120))
def test_the_glyphs_of_a_line_stand_side_by_side_and_give_its_text_back(text: str, width: float) -> None:
    for line in wrap(text, BODY, width, FONTS):
        if line.glyphs is None:
            continue
        copied = ""
        for _, run in line.glyphs.runs:
            texts = [glyph.text for glyph in run.glyphs]
            copied += "".join(reversed(texts) if run.level % 2 else texts)
        assert seen(copied) == seen(line.text)
        at = min((x for x, _ in line.glyphs.runs), default=0)
        for x, run in sorted(line.glyphs.runs, key=lambda placed: (placed[0], placed[0] + placed[1].width)):
            assert x == at
            at += run.width


def test_a_part_of_a_line_begins_where_it_stands_and_is_as_wide_as_it_is() -> None:
    line = SETTER.line("abc שלום דנה, xyz")
    for first, last, text in ((0, 2, "ab"), (4, 8, "שלום"), (9, 11, "דנ"), (14, 17, "xyz")):
        left, width, glyphs = line.glyphs.part(first, last)
        assert min(x for x, _ in glyphs.runs) == 0
        assert width == pytest.approx(SETTER.line(text).width, abs=20)  # kerning across the cut
        assert "".join(run.text for _, run in glyphs.runs) == text
        assert 0 <= left <= line.extent - width


@pytest.mark.parametrize("text", ["עמוד https://example.com/לא 12", "\u200dinvisible 漢字"])
def test_the_parts_of_a_line_are_together_as_wide_as_the_line(text: str) -> None:
    line = SETTER.line(text)
    ends = range(len(line.text) + 1)
    assert sum(line.glyphs.part(at, at + 1)[1] for at in ends) == line.extent


def test_a_word_of_many_lines_is_cut_without_looking_at_all_of_it_for_each() -> None:
    text = "x\u0302" * 20_000
    assert "".join(lines(text, 300)) == text


@settings(deadline=None)
@given(text=st.text("abאבגسم12٣.,-/() ", max_size=24))
def test_parts_stand_in_the_order_of_the_bidirectional_algorithm(text: str) -> None:
    bidi = icu.Bidi()
    bidi.setPara(icu.UnicodeString(text), icu.Bidi.DEFAULT_LTR)
    expected = "".join(text[at] for at in sorted(range(len(text)), key=bidi.getVisualIndex))
    placed = sorted(SETTER.line(text).glyphs.runs, key=lambda run: run[0])
    assert "".join(run.text[::-1] if run.level % 2 else run.text for _, run in placed) == expected
