"""Warnings about faint colours (WCAG 2.2, 1.4.3), headings alone on a page, and signature blocks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.checks.find_warnings import contrast
from layout.engine import check, render
from layout.frames import Role
from layout.schema.block_document import BlockDocument
from layout.schema.issues import DocumentWarning, WarningKind
from layout.theme_styles import colour
from tests.layout.documents import KEYS, document, heading, laid_out, paragraph, signature, text_field
from tests.layout.pictures import image_file

GREY_BAND = {"headerStyle": "band", "primaryColor": "#888888"}  # 3.5 to 1 with white
RETITLED = {"type": "pageBreak", "header": {"title": "Schedule", "subtitle": "small"}}


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


FAINT = {"primaryColor": "#ffff66", "accentColor": "#66ffff", "textColor": "#ff66ff", "bandTextColor": "#ffffff"}
COLOURS: list[tuple[dict[str, object], list[str]]] = [
    *(
        ({"theme": theme, "subtitle": "Subtitle"}, [])
        for theme in ({}, {"headerStyle": "line"}, {"headerStyle": "band"})
    ),
    ({"subtitle": "Subtitle"}, []),
    ({"theme": {"headerStyle": "band", "primaryColor": "#ffd23f"}}, ["/theme/bandTextColor"]),
    ({"theme": GREY_BAND}, []),  # enough for a title
    ({"theme": GREY_BAND, "subtitle": "Subtitle"}, ["/theme/bandTextColor"]),
    ({"theme": {"headerStyle": "band", "primaryColor": "#fff8e0", "bandTextColor": "#202020"}}, []),  # a fill is no ink
    ({"theme": FAINT}, ["/theme/primaryColor", "/theme/accentColor", "/theme/textColor"]),
]


@pytest.mark.parametrize(("members", "faint"), COLOURS)
def test_faint_colours_are_warned_of_and_a_pdf_is_made(members: dict[str, object], faint: list[str]) -> None:
    rendered = render(document(paragraph("Text."), **members), ())
    assert rendered.pdf is not None
    assert {warning.kind for warning in rendered.warnings} <= {WarningKind.LOW_CONTRAST}
    assert [warning.path for warning in rendered.warnings] == faint


def test_the_subtitle_of_a_retitled_page_counts_and_the_message_has_colours_and_ratios() -> None:
    (warning,) = render(document(RETITLED, paragraph("Text."), theme=GREY_BAND), ()).warnings
    assert warning.path == "/theme/bandTextColor"
    assert all(part in warning.message for part in ("#ffffff on #888888", "3.5 to 1", "4.5 to 1"))


def test_a_second_signature_block_of_a_signer_is_a_warning() -> None:
    rendered = render(document(signature(), signature(recipient="consultant"), signature()), KEYS)
    assert rendered.issues == ()
    assert [(warning.kind, warning.path) for warning in rendered.warnings] == [
        (WarningKind.SECOND_SIGNATURE, "/blocks/2")
    ]
    assert "/blocks/0" in rendered.warnings[0].message


def test_a_recipient_without_a_signature_block_is_a_warning_even_with_a_field() -> None:
    rendered = render(document(signature(), text_field("Bare", recipient="consultant")), ["client", "consultant"])
    assert rendered.issues == ()
    assert [warning.kind for warning in rendered.warnings] == [WarningKind.NO_SIGNATURE_BLOCK]
    assert "“consultant”" in rendered.warnings[0].message


TALL = image_file(420, 630)
BREAK: dict[str, Any] = {"type": "pageBreak"}
PICTURE: dict[str, Any] = {"type": "image", "fileId": "tall", "width": 420}


def alone(written: BlockDocument) -> list[DocumentWarning]:
    found = check(written, KEYS, {"tall": TALL})
    assert found.issues == ()
    return [warning for warning in found.warnings if warning.kind is WarningKind.HEADING_ALONE]


def test_a_heading_before_an_image_that_takes_a_page_is_warned_of_with_the_width_that_would_do() -> None:
    def warnings(width: int) -> list[DocumentWarning]:
        return alone(document(paragraph("Text"), heading("Floor plan " * 8), {**PICTURE, "width": width}))

    (warning,) = warnings(420)
    assert warning.path == "/blocks/1"
    assert "at the end of page 2" in warning.message
    width = int(warning.message.partition("a width of ")[2].split()[0])
    assert warnings(width) == []
    assert warnings(width + 2) != []


def test_a_heading_before_a_page_break_is_warned_of() -> None:
    (warning,) = alone(document(paragraph("Text"), heading("Annex"), BREAK, paragraph("Text")))
    assert warning.path == "/blocks/1"
    assert "after the page break" in warning.message


@pytest.mark.parametrize(
    ("blocks", "count"),
    [
        ([heading("Plan"), {"type": "spacer", "height": 40}, PICTURE], 1),
        ([paragraph("Text"), heading("Annex")], 0),
        ([paragraph("Text"), heading("Annex"), paragraph("Text")], 0),
    ],
)
def test_a_spacer_changes_nothing_and_a_heading_with_its_content_or_none_is_not_alone(
    blocks: list[dict[str, Any]], count: int
) -> None:
    assert len(alone(document(*blocks))) == count


BLOCKS = st.sampled_from(
    [
        heading("Services"),
        heading("Services of every kind " * 8),
        paragraph("Text"),
        paragraph("A long paragraph of many words. " * 60),
        {"type": "spacer", "height": 300},
        PICTURE,
        {**PICTURE, "width": 300},
        BREAK,
    ]
)


@given(st.lists(BLOCKS, min_size=1, max_size=12))
def test_no_heading_is_last_on_a_page_without_a_warning(blocks: list[dict[str, Any]]) -> None:
    written = document(*blocks)
    last = max((at for at, block in enumerate(blocks) if block["type"] != "spacer"), default=-1)
    bodies = laid_out(written, {"tall": TALL}).bodies
    ends = [[placed.frame for placed in body.placed if placed.frame.role is not Role.GAP][-1:] for body in bodies]
    lonely = [frame.path for end in ends for frame in end if frame.role is Role.HEADING]
    assert [warning.path for warning in alone(written)] == [path for path in lonely if path != f"/blocks/{last}"]


@pytest.mark.parametrize(
    ("text", "written", "in_session", "in_template"),
    [
        ("Dear {{name}},", "{{name}}", "create the session from a template", "triple braces: {{{name}}}"),
        ("Dear ${ name },", "${ name }", "create the session from a template", "triple braces: {{{name}}}"),
        ("a <b>bold</b> word", "<b>", "no HTML and no Markdown", "no HTML and no Markdown"),
        ("one<br/>two", "<br/>", "no HTML", "no HTML"),
        ("10&nbsp;days", "&nbsp;", "no HTML", "no HTML"),
        ("a **bold** word", "**bold**", "no HTML", "no HTML"),
        ("see [terms](https://example.com)", "[terms](https:", "no HTML", "no HTML"),
    ],
)
def test_markup_is_warned_of_since_it_is_printed(text: str, written: str, in_session: str, in_template: str) -> None:
    for variables, advice in ((None, in_session), ([], in_template)):
        (warning,) = check(document(paragraph(text)), (), variables=variables).warnings
        assert (warning.kind, warning.path) == (WarningKind.MARKUP, "/blocks/0/text")
        assert f"“{written}” is printed as it is." in warning.message
        assert advice in warning.message


@pytest.mark.parametrize(
    "text", ["a < b > c", "2 ** 3 ** 4", "[1] (see below)", "$5 {net}", "R&D; M&A", "a*b*c", "<ada@example.com>"]
)
def test_signs_of_plain_texts_are_not_markup(text: str) -> None:
    assert check(document(paragraph(text)), ()).warnings == ()


def test_values_of_a_template_are_no_markup() -> None:
    assert render(document(paragraph("Dear {{name}}, {{{x}}}")), (), is_filled=True).warnings == ()
    assert check(document(paragraph("Dear {{{name}}}")), (), variables=["name"]).warnings == ()
