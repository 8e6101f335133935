"""Words of another script are marked with their language, and stand where they stood."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layout.blocks.alignment import Column, set_lines
from layout.captions import CAPTIONS
from layout.frames import Text
from layout.pdf.foreign_language_spans import scripts_of, split_at_scripts
from layout.text.fonts import ShippedFonts
from layout.text.unicode_properties import COMMON, script_of
from layout.text.wrap_text import wrap
from layout.theme_styles import Theme

BODY = Theme().body(10, bold=False, muted=False)
FONTS = ShippedFonts()


def set_in(width: float, text: str) -> tuple[Text, ...]:
    return set_lines(wrap(text, BODY, width, FONTS), BODY, FONTS, Column(width))


def others(text: str, language: str, width: float = 500) -> list[tuple[str, str]]:
    """The runs that have a language of their own."""
    parts = split_at_scripts(set_in(width, text), language)
    return [(part.text, part.language) for part in parts if part.language]


@pytest.mark.parametrize("language", CAPTIONS)
def test_the_scripts_of_every_language_are_known(language: str) -> None:
    words = re.sub(r"\{\w+\}|ID", "", " ".join(CAPTIONS[language]))  # Japanese and Chinese write ID as English does
    assert set(map(script_of, words)) - COMMON <= scripts_of(language)


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("de", "Der Käufer, geb. 1. 2. 1990 in Łódź, zahlt 5 € – „sofort“.", []),
        ("de", "Er sagte: שלום עולם! Dann ging er.", [("שלום עולם", "he")]),  # spaces within, but no others
        ("de", "Ελληνικά, русский", [("Ελληνικά", "el"), ("русский", "und-Cyrl")]),  # plain text
        (
            "en",
            "ไทย 한국 हिन्दी العربية",
            [("ไทย", "th"), ("한국", "ko"), ("हिन्दी", "und-Deva"), ("العربية", "und-Arab")],
        ),
        ("en", "the 東京都サーバー only", [("東京都サーバー", "ja")]),  # the last sign belongs to two scripts
        ("en", "大韓民國 대한민국", [("大韓民國 대한민국", "ko")]),
        ("en", "the 北京 office", [("北京", "und-Hani")]),
        ("ja", "本契約はHarbour & Finchと締結する。", [("Harbour & Finch", "und-Latn")]),
        ("zh-Hans", "合同3.1由Finch签署", [("Finch", "und-Latn")]),
        ("ar", "مقابل شركة Harbour & Finch A/S وذلك", [("Harbour & Finch A/S", "und-Latn")]),
        ("he", "חברת Finch, 3%", [("Finch", "und-Latn")]),
        ("uk", "Договір із Finch", [("Finch", "und-Latn")]),
    ],
)
def test_words_of_another_script_have_their_language(language: str, text: str, found: list[tuple[str, str]]) -> None:
    assert others(text, language) == found


def test_a_run_over_several_lines_has_the_spaces_between_them() -> None:
    runs = others("Wort " + "שלום עולם " * 9 + "Wort", "de", width=120)
    assert len(runs) > 2
    assert all(text.endswith(" ") for text, _ in runs[:-1])
    assert not runs[-1][0].endswith(" ")


def test_an_address_has_no_language() -> None:
    (line,) = set_in(500, "https://example.com")
    assert list(split_at_scripts([line._replace(link=line.text)], "ar")) == [line._replace(link=line.text)]


@settings(deadline=None)
@given(
    text=st.text(st.sampled_from("ab é1.-(אבםשׁرسلاَ،٣क्षिน้漢かー한👍🏽\u200d\u200f\u3000Ω"), min_size=1, max_size=40),
    language=st.sampled_from(["de", "ar", "ja"]),
    width=st.floats(20, 200),
)
def test_no_letter_is_lost_moved_or_unmarked(text: str, language: str, width: float) -> None:
    lines = set_in(width, text)
    parts = list(split_at_scripts(lines, language))
    assert "".join(part.text for part in parts) == "".join(line.text for line in lines)
    for part in parts:
        scripts = set(map(script_of, part.text)) - COMMON
        assert (scripts.isdisjoint if part.language else scripts.issubset)(scripts_of(language))
    for line in lines:
        if line.glyphs:
            assert ends([part for part in parts if part.y == line.y]) == pytest.approx(ends([line]), abs=0.001)


def ends(texts: Sequence[Text]) -> tuple[float, float]:
    """Where the glyphs of a line begin and end."""
    runs = [(text.x + x / 100, run) for text in texts if text.glyphs for x, run in text.glyphs.runs]
    return min(x for x, _ in runs), max(x + run.width / 100 for x, run in runs)
