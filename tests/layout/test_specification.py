"""Each row of the specification that is about block documents, in its own order, and what comes of it on paper.

Limits at, below and above are in `test_block_document.py`; headers, themes, logos and images have files of their own.
Specification 2.5, 2.7, 2.8, 2.12, 7.3, 8.
"""

import os
import subprocess
import sys

import pytest

from layout.engine import Rendered, render
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind
from layout.zones.zone import Zone, ZoneType
from tests.layout.documents import KEYS, document, paragraph, signature, text_field
from tests.layout.image_files import PICTURES
from tests.layout.reading import text_of

Written = dict[str, object]
LONG_PARAGRAPH = "Every word of this is printed once. " * 400
CONTENT = (56.0, 539.0)
"""From the left edge of the content to the right one."""


def laid_out(*blocks: Written, **members: object) -> Rendered:
    return render(document(*blocks, **members), KEYS, PICTURES)


def pages(*blocks: Written, **members: object) -> list[str]:
    """The text of each page, its lines joined."""
    rendered = laid_out(*blocks, **members)
    assert rendered.pdf is not None, rendered.issues
    return [" ".join(page.split()) for page in text_of(rendered.pdf).split("\f")[:-1]]


def field(type_: str, label: str = "Label", **members: object) -> Written:
    options = {"options": ["Yes", "No"]} if type_ in {"radio", "dropdown"} else {}
    return {"type": "field", "fieldType": type_, "label": label, "recipient": "client", **options, **members}


def row(*fields: Written) -> Written:
    return {"type": "fieldRow", "fields": [{name: one[name] for name in one if name != "type"} for one in fields]}


def zone(*blocks: Written) -> Zone:
    (found,) = laid_out(*blocks).zones
    return found


# 2.5 Block document object


@pytest.mark.poppler
def test_title_is_shown_in_the_header_band_of_every_page() -> None:
    assert all(page.startswith("Agreement ") for page in pages(paragraph(LONG_PARAGRAPH)))


def test_title_of_thirty_characters_fits_and_of_seventy_is_refused() -> None:
    assert laid_out(paragraph("x"), title="An agreement of thirty letters").issues == ()
    assert laid_out(paragraph("x"), title="An agreement of letters " * 3).issues[0].kind is IssueKind.TITLE_TOO_LONG


@pytest.mark.poppler
def test_subtitle_is_a_line_under_the_title() -> None:
    assert pages(paragraph("Text"), subtitle="Between us")[0].startswith("Agreement Between us Text")


@pytest.mark.poppler
def test_footer_label_is_followed_by_the_page_numbers() -> None:
    shown = pages(paragraph(LONG_PARAGRAPH), footerLabel="Form 3")
    assert [page.rpartition("Form 3")[2] for page in shown] == [
        f" — page {number} of {len(shown)}" for number in range(1, len(shown) + 1)
    ]


@pytest.mark.poppler
def test_footer_label_defaults_to_the_title() -> None:
    assert pages(paragraph("Text"))[0].endswith("Agreement — page 1 of 1")


@pytest.mark.poppler
def test_blocks_are_the_content_in_order() -> None:
    assert pages(paragraph("One"), {"type": "heading", "text": "Two"}, paragraph("Three"))[0].startswith(
        "Agreement One Two Three"
    )


# 2.7 Block types


@pytest.mark.poppler
def test_heading_is_never_left_alone_at_the_bottom_of_a_page() -> None:
    for height in range(500, 601, 5):
        first = pages({"type": "spacer", "height": height}, {"type": "heading", "text": "Last"}, paragraph("After"))[0]
        assert ("Last" in first) == ("After" in first)


@pytest.mark.poppler
def test_paragraph_wraps_and_breaks_at_line_breaks() -> None:
    rendered = laid_out(paragraph("word " * 100 + "\nBroken"))
    assert rendered.pdf is not None
    assert "\nBroken" in text_of(rendered.pdf)


@pytest.mark.poppler
def test_bullet_list_has_one_bullet_for_each_entry() -> None:
    (page,) = pages({"type": "bulletList", "items": ["one", "two", "three"]})
    assert page.count("•") == 3
    assert "• one • two • three" in page


def test_spacer_is_a_vertical_gap() -> None:
    near, far = (zone(paragraph("x"), *gap, field("text")).y for gap in ((), ({"type": "spacer", "height": 100},)))
    assert far == pytest.approx(near + 100, abs=0.02)


@pytest.mark.poppler
def test_page_break_forces_the_next_block_onto_a_new_page() -> None:
    first, second = pages(paragraph("One"), {"type": "pageBreak"}, paragraph("Two"))
    assert "One" in first
    assert "Two" in second


@pytest.mark.poppler
def test_page_break_without_header_keeps_it_null_removes_it_and_an_object_retitles_it() -> None:
    own = {"title": "Schedule", "subtitle": "of fees"}
    breaks: list[Written] = [{"type": "pageBreak", **one} for one in ({}, {"header": None}, {"header": own})]
    shown = pages(paragraph("1"), *(block for one in breaks for block in (one, paragraph("Text"))))
    kept, none, retitled = shown[1:]
    assert kept.startswith("Agreement Text")
    assert none.startswith("Text")
    assert retitled.startswith("Schedule of fees Text")


def test_field_spans_the_content_width() -> None:
    found = zone(field("text"))
    assert (found.x, found.x + found.w) == CONTENT


def test_field_row_has_equal_columns_side_by_side() -> None:
    first, second, third = laid_out(row(field("text", "A"), field("date", "B"), field("email", "C"))).zones
    assert first.w == pytest.approx(second.w, abs=0.02) == pytest.approx(third.w, abs=0.02)
    assert first.y == second.y == third.y
    assert first.x + first.w < second.x
    assert second.x + second.w < third.x


def test_signature_block_has_name_date_and_signature_bound_to_its_recipient() -> None:
    zones = laid_out(signature(recipient="consultant")).zones
    assert {one.type for one in zones} == {ZoneType.SIGNER_NAME, ZoneType.DATE_SIGNED, ZoneType.SIGNATURE}
    assert {one.recipient for one in zones} == {"consultant"}
    assert all(one.required for one in zones)


# 2.8 Input field properties


@pytest.mark.poppler
def test_label_is_printed_above_the_input_and_kept_in_the_zone() -> None:
    assert zone(field("text", "Company")).label == "Company"
    assert "Company *" in pages(field("text", "Company"))[0]


@pytest.mark.poppler
def test_required_defaults_to_true_for_every_type_except_checkbox() -> None:
    for type_ in ZoneType:
        if type_ not in {ZoneType.SIGNER_NAME, ZoneType.DATE_SIGNED, ZoneType.SIGNATURE}:
            assert zone(field(type_.value)).required == (type_ is not ZoneType.CHECKBOX)
            assert ("Label *" in pages(field(type_.value))[0]) == (type_ is not ZoneType.CHECKBOX)


def test_name_is_kept_and_defaults_to_a_slug_of_the_label() -> None:
    assert zone(field("text", "VAT number", name="vat_2")).name == "vat_2"
    assert zone(field("text", "VAT number")).name == "vat-number"


@pytest.mark.poppler
def test_placeholder_is_a_hint_for_the_signer_and_not_printed() -> None:
    assert zone(field("dropdown", placeholder="Choose")).placeholder == "Choose"
    assert "Choose" not in pages(field("dropdown", placeholder="Choose"))[0]


@pytest.mark.poppler
@pytest.mark.parametrize("type_", ["radio", "checkbox"])
def test_options_have_a_box_each_and_are_printed_beside_it(type_: str) -> None:
    found = zone(field(type_, options=["Red", "Blue"]))
    assert [option.text for option in found.options] == ["Red", "Blue"]
    assert "Red Blue" in pages(field(type_, options=["Red", "Blue"]))[0]


def test_date_format_defaults_to_day_month_year_and_belongs_to_dates() -> None:
    assert zone(field("date")).date_format == "DD/MM/YYYY"
    assert zone(field("date", dateFormat="MM/YY")).date_format == "MM/YY"
    assert zone(field("text")).date_format is None


@pytest.mark.parametrize("type_", ["text", "date", "number", "email", "auMobile"])
def test_single_line_inputs_are_one_line_high(type_: str) -> None:
    found = zone(field(type_))
    assert (found.type, found.h) == (type_, 21.4)


def test_multiline_text_is_taller() -> None:
    assert zone(field("multilineText")).h > 3 * zone(field("text")).h


def test_checkbox_is_one_box_with_the_label_beside_it() -> None:
    found = zone(field("checkbox"))
    assert (found.w, found.h, found.options) == (11, 11, ())


def test_checkbox_with_options_is_a_group_that_is_optional_unless_required() -> None:
    assert not zone(field("checkbox", options=["One"])).required
    assert zone(field("checkbox", options=["One"], required=True)).required


def test_radio_buttons_are_packed_left_to_right_and_wrapped() -> None:
    boxes = zone(field("radio", options=[f"Option number {number}" for number in range(12)])).options
    rows = sorted({box.y for box in boxes})
    assert len(rows) > 1
    assert all(sum(box.y == y for box in boxes) > 1 for y in rows[:-1])
    assert [(box.y, box.x) for box in boxes] == sorted((box.y, box.x) for box in boxes)


def test_dropdown_and_initials_are_boxes() -> None:
    assert zone(field("dropdown")).h == 22
    assert (zone(field("initials")).w, zone(field("initials")).h) == (72, 36)


# 2.12 Layout rules


@pytest.mark.poppler
def test_text_wraps_and_paginates_without_loss() -> None:
    shown = " ".join(pages(paragraph(LONG_PARAGRAPH)))
    assert shown.count("Every") == shown.count("once.") == 400


@pytest.mark.parametrize(
    "block",
    [
        field("multilineText"),
        field("radio"),
        row(field("text", "A"), field("initials", "B")),
        {"type": "image", "fileId": "large", "width": 90},
        signature(),
    ],
)
def test_fields_rows_images_and_signature_blocks_are_never_split(block: Written) -> None:
    for height in range(430, 601, 10):
        rendered = laid_out(paragraph("x"), {"type": "spacer", "height": height}, block)
        assert rendered.issues == ()
        assert len({zone.page for zone in rendered.zones}) <= 1
        assert all(zone.y + zone.h <= 766.01 for zone in rendered.zones)


def test_same_document_same_bytes_in_another_process() -> None:
    written = document(
        paragraph("Łódź 東京"), field("radio"), row(field("date", "A"), field("checkbox", "B")), signature()
    )
    program = (
        "import sys; from layout.schema.block_document import BlockDocument; from layout.engine import render; "
        "sys.stdout.buffer.write(render(BlockDocument.model_validate_json(sys.stdin.read()), {'client'}).pdf)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        input=written.model_dump_json(by_alias=True, exclude_unset=True).encode(),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert ended.stdout == render(written, KEYS).pdf


# 7.3 Block document validation error


LONG_TITLE = "A title that is so long that it would wrap to a second line"
TALL = "so long " * 3000
ISSUES: list[tuple[IssueKind, BlockDocument]] = [
    (IssueKind.TITLE_TOO_LONG, document(paragraph("x"), title=LONG_TITLE)),
    (IssueKind.OUT_OF_BOUNDS, document({"type": "heading", "text": "\n" * 498 + "xx"})),
    (IssueKind.ZONE_OUT_OF_BOUNDS, document(field("checkbox", options=["Yes", TALL]))),
    (IssueKind.UNKNOWN_RECIPIENT, document(text_field("x", recipient="nobody"))),
    (IssueKind.DUPLICATE_FIELD_NAME, document(text_field("x"), text_field("x"))),
    (IssueKind.UNKNOWN_IMAGE, document({"type": "image", "fileId": "gone"})),
    (IssueKind.IMAGE_TOO_TALL, document({"type": "image", "fileId": "tall", "width": 100})),
    (IssueKind.TOKENS_IN_SESSION, document(paragraph("for {{{client}}}"))),
]


@pytest.mark.parametrize(("kind", "written"), ISSUES, ids=lambda one: one.value if isinstance(one, IssueKind) else "")
def test_each_kind_of_issue_has_page_message_snippet_and_path(kind: IssueKind, written: BlockDocument) -> None:
    rendered = render(written, KEYS, PICTURES)
    (issue,) = rendered.issues
    assert issue.kind is kind
    assert 1 <= issue.page <= rendered.page_count
    assert issue.message.endswith(".")
    assert issue.path.startswith(("/title", "/blocks/"))
    assert rendered.pdf is None


def test_a_token_that_is_not_declared_gives_undeclared_variable() -> None:
    written = document(paragraph("for {{{client}}} and {{{other}}}"))
    (issue,) = render(written, KEYS, variables={"client"}).issues
    assert (issue.kind, issue.path) == (IssueKind.UNDECLARED_VARIABLE, "/blocks/0/text")


def test_every_kind_of_issue_is_tested_here() -> None:
    assert {kind for kind, _ in ISSUES} | {IssueKind.UNDECLARED_VARIABLE} == set(IssueKind)
    assert {kind.value for kind in IssueKind} == {
        "title-too-long", "out-of-bounds", "zone-out-of-bounds", "unknown-recipient", "duplicate-field-name",
        "unknown-image", "image-too-tall", "tokens-in-session", "undeclared-variable",
    }  # fmt: skip


# 8 Limits


def test_five_hundred_blocks_of_every_kind_are_laid_out() -> None:
    eight: list[Written] = [
        {"type": "heading", "text": "x"},
        paragraph("word " * 50),
        {"type": "bulletList", "items": ["one", "two"]},
        {"type": "spacer", "height": 20},
        {"type": "image", "fileId": "small"},
        signature(),
        {"type": "pageBreak"},
        paragraph("x"),
    ]
    blocks = [
        block
        for at in range(50)
        for block in (*eight, field("text", f"A{at}"), row(field("date", f"B{at}"), field("radio", f"C{at}")))
    ]
    rendered = laid_out(*blocks)
    assert len(blocks) == 500
    assert rendered.issues == ()
    assert len(rendered.zones) == 50 * (3 + 1 + 2)


def test_the_longest_heading_the_most_entries_and_options_fit() -> None:
    rendered = laid_out(
        {"type": "heading", "text": "x" * 500},
        {"type": "bulletList", "items": ["x"] * 50},
        field("radio", "A", options=[f"Option {at}" for at in range(20)]),
        field("checkbox", "B", options=[f"Option {at}" for at in range(20)]),
        signature("x" * 100),
    )
    assert rendered.issues == ()


@pytest.mark.parametrize("size", [7, 24])
def test_a_paragraph_is_set_from_7_to_24_points(size: int) -> None:
    assert laid_out(paragraph("Text", fontSize=size)).issues == ()


@pytest.mark.parametrize("height", [1, 600])
def test_a_spacer_is_1_to_600_points_high(height: int) -> None:
    assert laid_out(paragraph("x"), {"type": "spacer", "height": height}, paragraph("x")).issues == ()
