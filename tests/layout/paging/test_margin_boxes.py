"""Header bands: where their texts, rules and fills stand, and where the body begins. Specification 2.5, 2.6.

Letters are as wide as the font size: a title of 22 points has room for 21 letters in 483 points.
"""

from typing import Literal

import pytest
from pydantic import ValidationError

from layout.captions import CAPTIONS
from layout.frames import Fill, Frame, Placed, Role, Rule, Text, frames_of
from layout.geometry import PAGE_WIDTH, TOLERANCE, Rect
from layout.paging.margin_boxes import Header, HeaderBand, HeaderDesign, build_header_band
from layout.schema.block_document import Theme as WrittenTheme
from layout.schema.image_file import Logo
from layout.theme_styles import GREY, INK, TEAL, WHITE, Theme, colour, theme_of
from tests.layout.documents import document, laid_out, paragraph
from tests.layout.even_fonts import EVEN

LINE, BAND = Theme(), Theme(header_style="band")


def band(title: str, subtitle: str | None = None, theme: Theme = LINE, logo: Logo | None = None) -> HeaderBand:
    return build_header_band(Header(title, subtitle, ""), HeaderDesign(theme, logo), EVEN)


@pytest.mark.parametrize(("language", "logo_x", "title_x"), [("en", 383, 0), ("he", 0, 120)])
def test_the_logo_is_at_the_end_of_the_line_in_the_language_of_the_document(
    language: str, logo_x: float, title_x: float
) -> None:
    logo = Logo("logo", 100, 40)
    design = HeaderDesign(LINE, logo, CAPTIONS[language])
    placed = {
        at.frame.role: at.x
        for at in frame_of(build_header_band(Header("Title", None, ""), design, EVEN)).items
        if isinstance(at, Placed)
    }

    assert placed == {Role.TITLE: title_x, Role.FIGURE: logo_x}


@pytest.mark.parametrize(("language", "start"), [("en", 0), ("he", 483)])
def test_titles_begin_where_the_language_of_the_document_does(language: str, start: float) -> None:
    made = build_header_band(Header("Title", "Subtitle", ""), HeaderDesign(LINE, captions=CAPTIONS[language]), EVEN)

    for role in (Role.TITLE, Role.PARAGRAPH):
        (text,) = texts_of(made, role)
        assert text.x + (text.width if start else 0) == pytest.approx(start)


def frame_of(made: HeaderBand) -> Frame:
    assert made.frame is not None
    return made.frame


def texts_of(made: HeaderBand, role: Role) -> list[Text]:
    parts = (at.frame for at in frames_of(Placed(0, 0, frame_of(made))) if at.frame.role is role)
    return [item for part in parts for item in part.items if isinstance(item, Text)]


def fills_of(made: HeaderBand) -> list[Rect]:
    """The filled rectangles, from the page's top left corner."""
    fills = [item for item in frame_of(made).items if isinstance(item, Fill)]
    return [fill.rect.moved(56, made.top) for fill in fills]


def test_a_line_band_has_its_title_above_a_thin_rule() -> None:
    made = band("Title")
    (rule,) = (item for item in frame_of(made).items if isinstance(item, Rule))
    assert (rule.x, rule.w, rule.thickness, rule.colour) == (0, 483, 1, TEAL)
    assert rule.y == 38  # 27 of the title, 2, 9
    assert (made.top, made.body_top) == (46, 106)  # 46 + 38 + 22


def test_a_filled_band_reaches_from_edge_to_edge_with_a_stripe_under_it() -> None:
    made = band("Title", theme=BAND)
    fill, stripe = fills_of(made)
    assert fill == Rect(0, 0, PAGE_WIDTH, 77)  # 28 + 27 + 2 + 20
    assert stripe == Rect(0, 77, PAGE_WIDTH, 3)
    assert made.body_top == 104  # 77 + 3 + 24


@pytest.mark.parametrize("theme", [LINE, BAND])
def test_a_subtitle_moves_the_body_down_by_its_lines(theme: Theme) -> None:
    without, one, two = (band("Title", subtitle, theme) for subtitle in (None, "a" * 46, "a" * 47))  # 46 x 10.5 = 483
    assert [len(texts_of(made, Role.PARAGRAPH)) for made in (without, one, two)] == [0, 1, 2]
    assert one.body_top == without.body_top + 15
    assert two.body_top == without.body_top + 30


@pytest.mark.parametrize("theme", [LINE, BAND])
def test_a_subtitle_of_the_greatest_length_stays_within_the_margins(theme: Theme) -> None:
    lines = texts_of(band("Title", "W" * 200, theme), Role.PARAGRAPH)
    assert "".join(line.text for line in lines) == "W" * 200
    assert all(line.x >= 0 and line.x + line.width <= 483 + TOLERANCE for line in lines)


@pytest.mark.parametrize("theme", [LINE, BAND])
def test_a_title_that_wraps_shows_its_first_line_and_moves_nothing(theme: Theme) -> None:
    long, short = band("long title " * 9, theme=theme), band("Title", theme=theme)
    assert len(texts_of(long, Role.TITLE)) == 1
    assert long.body_top == short.body_top


def test_without_a_theme_title_rule_and_text_are_classic() -> None:
    assert theme_of(None) == theme_of(WrittenTheme()) == Theme()
    assert (LINE.title.colour, LINE.heading.colour, LINE.subtitle.colour) == (TEAL, INK, GREY)
    assert LINE.body(None, bold=False, muted=False).colour == INK


def test_each_colour_of_a_line_band_goes_where_the_specification_says() -> None:
    theme = theme_of(WrittenTheme(primary_color="#110000", accent_color="#002200", text_color="#000033"))
    assert theme.title.colour == theme.primary == colour("#110000")
    assert theme.heading.colour == colour("#002200")
    assert theme.body(None, bold=False, muted=False).colour == theme.label.colour == colour("#000033")


def test_title_and_subtitle_on_a_band_are_of_the_colour_for_it_white_by_default() -> None:
    assert (BAND.title.colour, BAND.subtitle.colour) == (WHITE, WHITE)
    chosen = theme_of(WrittenTheme(header_style="band", primary_color="#ffeecc", band_text_color="#3b1c00"))
    assert (chosen.title.colour, chosen.subtitle.colour) == (colour("#3b1c00"), colour("#3b1c00"))
    fill, _ = (item for item in frame_of(band("Title", theme=chosen)).items if isinstance(item, Fill))
    assert fill.colour == colour("#ffeecc")


def test_headings_and_stripe_are_of_the_colour_of_the_text_unless_told() -> None:
    assert theme_of(WrittenTheme(text_color="#000033")).accent == colour("#000033")


def test_muted_text_is_grey_in_every_theme() -> None:
    theme = theme_of(WrittenTheme(text_color="#000033"))
    assert theme.body(None, bold=False, muted=True).colour == GREY


@pytest.mark.parametrize("written", ["0F6A73", "#0f6a73"])
def test_a_colour_may_be_written_with_or_without_its_mark(written: str) -> None:
    assert theme_of(WrittenTheme(primary_color=written)).primary == TEAL


@pytest.mark.parametrize("written", ["teal", "#0f6", "#0f6a7", "#0f6a73ff", "0f6a7g", "#0f6a73\n", ""])
def test_what_is_no_colour_is_refused(written: str) -> None:
    with pytest.raises(ValidationError):
        WrittenTheme(primary_color=written)


@pytest.mark.parametrize("style", ["line", "band"])
def test_pages_without_a_header_and_retitled_ones_work_in_both_styles(style: Literal["line", "band"]) -> None:
    breaks = [{"type": "pageBreak", "header": None}, {"type": "pageBreak", "header": {"title": "Schedule"}}]
    blocks = [paragraph("1"), breaks[0], paragraph("2"), breaks[1], paragraph("3")]
    own, bare, retitled = laid_out(document(*blocks, subtitle="Subtitle", theme={"headerStyle": style})).bodies
    assert [body.placed[0].y for body in (own, bare, retitled)] == [own.band.body_top, 56, retitled.band.body_top]
    assert bare.band.frame is None
    assert own.band.body_top == retitled.band.body_top + 15  # the subtitle's line
    assert len(fills_of(retitled.band)) == (2 if style == "band" else 0)
