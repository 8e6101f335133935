"""Colours that are hard to read are said, and refused by nobody. WCAG 2.2, success criterion 1.4.3."""

import pytest

from layout.checks.find_warnings import contrast
from layout.engine import render
from layout.schema.issues import WarningKind
from layout.schema.theme import colour
from tests.layout.documents import document, paragraph


def warned(theme: dict[str, str] | None, **members: object) -> list[str]:
    """The JSON pointers of all warnings, of a document that is made anyway."""
    chosen = {} if theme is None else {"theme": theme}
    rendered = render(document(paragraph("Text."), **chosen, **members), ())
    assert rendered.pdf is not None
    assert {warning.kind for warning in rendered.warnings} <= {WarningKind.LOW_CONTRAST}
    return [warning.path for warning in rendered.warnings]


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.48),  # the well-known grey that just fails
        ("#767676", "#ffffff", 4.54),  # and the one that just passes
        ("#ff0000", "#ffffff", 4.0),
    ],
)
def test_contrast_is_that_of_the_guidelines_in_both_directions(one: str, other: str, ratio: float) -> None:
    assert contrast(colour(one), colour(other)) == pytest.approx(ratio, abs=0.006)
    assert contrast(colour(other), colour(one)) == contrast(colour(one), colour(other))


@pytest.mark.parametrize("theme", [None, {}, {"headerStyle": "line"}, {"headerStyle": "band"}])
def test_the_colours_that_nobody_chose_can_be_read(theme: dict[str, str] | None) -> None:
    assert warned(theme, subtitle="Subtitle") == []


def test_a_pale_band_with_white_text_is_warned_of() -> None:
    assert warned({"headerStyle": "band", "primaryColor": "#ffd23f"}) == ["/theme/bandTextColor"]


def test_a_subtitle_on_a_band_needs_more_contrast_than_a_title() -> None:
    theme = {"headerStyle": "band", "primaryColor": "#888888"}  # 3.5 to 1 with white
    assert warned(theme) == []
    assert warned(theme, subtitle="Subtitle") == ["/theme/bandTextColor"]


def test_the_subtitle_of_a_retitled_page_counts() -> None:
    retitled = {"type": "pageBreak", "header": {"title": "Schedule", "subtitle": "small"}}
    theme = {"headerStyle": "band", "primaryColor": "#888888"}
    rendered = render(document(retitled, paragraph("Text."), theme=theme), ())
    assert [warning.path for warning in rendered.warnings] == ["/theme/bandTextColor"]


def test_the_fill_of_a_band_is_no_ink_on_paper() -> None:
    theme = {"headerStyle": "band", "primaryColor": "#fff8e0", "bandTextColor": "#202020"}
    assert warned(theme) == []


def test_every_faint_colour_on_paper_is_named() -> None:
    faint = {"primaryColor": "#ffff66", "accentColor": "#66ffff", "textColor": "#ff66ff", "bandTextColor": "#ffffff"}
    assert warned(faint) == ["/theme/primaryColor", "/theme/accentColor", "/theme/textColor"]


def test_a_warning_says_which_colours_and_how_much_is_missing() -> None:
    theme = {"headerStyle": "band", "primaryColor": "#888888"}
    (warning,) = render(document(paragraph("Text."), theme=theme, subtitle="small"), ()).warnings
    assert "#ffffff on #888888" in warning.message
    assert "3.5 to 1" in warning.message
    assert "4.5 to 1" in warning.message
