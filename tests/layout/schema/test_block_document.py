"""What a client may write: members, limits at, below and above, members of types. Specification 2.5, 2.7, 2.8, 8."""

import json
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from layout.schema.block_document import BlockDocument
from layout.schema.runs import UNION_TAGS

Written = dict[str, object]

FIELD_TYPES = [
    "text", "multilineText", "date", "number", "email", "auMobile", "checkbox", "radio", "dropdown", "initials"
]  # fmt: skip
DATE_FORMATS = ["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"]
TWO = ["Yes", "No"]


def read(*blocks: Written, **members: object) -> BlockDocument:
    """As a request is read: strictly, from JSON."""
    written = {"format": "blocks", "title": "Agreement", "blocks": blocks, **members}
    return BlockDocument.model_validate_json(json.dumps(written), strict=True, by_alias=True, by_name=False)


def wrong(*blocks: Written, **members: object) -> set[str]:
    """The members that are refused: the last names of their places; none if all is well."""
    try:
        read(*blocks, **members)
    except ValidationError as error:
        places = [tuple(step for step in one["loc"] if step not in UNION_TAGS) for one in error.errors()]
    else:
        return set()
    # an array whose items are wrong is called too short as well
    return {str(at[-1]) for at in places if not any(at == other[: len(at)] != other for other in places)}


def paragraph(**members: object) -> Written:
    return {"type": "paragraph", "text": "Text", **members}


def field(type_: str, **members: object) -> Written:
    options = {"options": TWO} if type_ in {"radio", "dropdown"} else {}
    return {"type": "field", "fieldType": type_, "label": "Label", "recipient": "client", **options, **members}


def of_row(written: Written) -> Written:
    """Without the type that only blocks have."""
    return {name: value for name, value in written.items() if name != "type"}


LIMITS: list[tuple[str, Callable[[int], Written], int, int]] = [
    ("text", lambda n: {"type": "heading", "text": "x" * n}, 1, 500),
    ("fontSize", lambda n: paragraph(fontSize=n), 7, 24),
    ("items", lambda n: {"type": "bulletList", "items": ["x"] * n}, 1, 50),
    ("height", lambda n: {"type": "spacer", "height": n}, 1, 600),
    ("width", lambda n: {"type": "image", "fileId": "x", "width": n}, 20, 483),
    ("fields", lambda n: {"type": "fieldRow", "fields": [of_row(field("text"))] * n}, 2, 3),
    ("label", lambda n: {"type": "signatureBlock", "recipient": "client", "label": "x" * n}, 1, 100),
    ("options", lambda n: field("radio", options=[str(at) for at in range(n)]), 2, 20),
    ("options", lambda n: field("dropdown", options=[str(at) for at in range(n)]), 2, 20),
    ("options", lambda n: field("checkbox", options=[str(at) for at in range(n)]), 1, 20),
]


@pytest.mark.parametrize(("member", "block", "least", "most"), LIMITS)
def test_a_limit_is_kept_and_not_overstepped(
    member: str, block: Callable[[int], Written], least: int, most: int
) -> None:
    assert wrong(block(least)) == wrong(block(least + 1)) == wrong(block(most - 1)) == wrong(block(most)) == set()
    assert wrong(block(least - 1)) == wrong(block(most + 1)) == {member}


def test_a_document_has_one_to_five_hundred_blocks() -> None:
    assert wrong(*[paragraph()] * 500) == wrong(paragraph()) == set()
    assert wrong() == wrong(*[paragraph()] * 501) == {"blocks"}


def test_a_subtitle_has_up_to_two_hundred_characters() -> None:
    assert wrong(paragraph(), subtitle="x" * 200) == set()
    assert wrong(paragraph(), subtitle="x" * 201) == {"subtitle"}
    header = {"title": "Schedule", "subtitle": "x" * 201}
    assert wrong({"type": "pageBreak", "header": header}, paragraph()) == {"subtitle"}


@pytest.mark.parametrize("width", [20, 130])
def test_a_logo_is_20_to_130_points_wide(width: int) -> None:
    assert wrong(paragraph(), logo={"fileId": "x", "width": width}) == set()
    assert wrong(paragraph(), logo={"fileId": "x", "width": 150 - width + (111 if width == 20 else -1)}) == {"width"}


@pytest.mark.parametrize(
    ("block", "missing"),
    [
        ({"type": "heading"}, {"text"}),
        ({"type": "paragraph"}, {"text"}),
        ({"type": "bulletList"}, {"items"}),
        ({"type": "spacer"}, {"height"}),
        ({"type": "image"}, {"fileId"}),
        ({"type": "field"}, {"fieldType", "label", "recipient"}),
        ({"type": "fieldRow"}, {"fields"}),
        ({"type": "signatureBlock"}, {"recipient", "label"}),
        ({"type": "pageBreak", "header": {}}, {"title"}),
    ],
)
def test_what_a_block_needs_is_required(block: Written, missing: set[str]) -> None:
    assert wrong(block) == missing


@pytest.mark.parametrize("member", ["format", "title", "blocks"])
def test_what_a_document_needs_is_required(member: str) -> None:
    written = {"format": "blocks", "title": "Agreement", "blocks": [paragraph()]}
    del written[member]
    with pytest.raises(ValidationError, match=member):
        BlockDocument.model_validate_json(json.dumps(written))


@pytest.mark.parametrize(
    "block",
    [
        {"type": "heading", "text": "x"},
        paragraph(),
        {"type": "bulletList", "items": ["x"]},
        {"type": "spacer", "height": 9},
        {"type": "pageBreak"},
        {"type": "image", "fileId": "x"},
        field("text"),
        {"type": "signatureBlock", "recipient": "client", "label": "x"},
    ],
)
def test_unknown_members_are_refused(block: Written) -> None:
    assert wrong({**block, "colour": "red"}) == {"colour"}


def test_an_unknown_format_or_type_is_refused() -> None:
    assert wrong(paragraph(), format="html") == {"format"}
    with pytest.raises(ValidationError, match="union_tag_invalid"):
        read({"type": "table"})


@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_paragraphs_and_images_are_aligned(align: str) -> None:
    assert wrong(paragraph(align=align), {"type": "image", "fileId": "x", "align": align}) == set()
    assert wrong(paragraph(align="justify")) == wrong({"type": "image", "fileId": "x", "align": "top"}) == {"align"}


@pytest.mark.parametrize("type_", FIELD_TYPES)
def test_every_type_of_field_stands_alone_and_in_a_row(type_: str) -> None:
    assert wrong(field(type_), {"type": "fieldRow", "fields": [of_row(field(type_))] * 2}) == set()


def test_another_type_of_field_and_a_type_in_a_row_are_refused() -> None:
    assert wrong(field("colour")) == {"fieldType"}
    assert wrong({"type": "fieldRow", "fields": [field("text")] * 2}) == {"type"}


@pytest.mark.parametrize("type_", FIELD_TYPES)
def test_every_type_but_checkbox_is_required_by_default(type_: str) -> None:
    ((_, default), (_, told)) = read(field(type_), field(type_, required=type_ == "checkbox")).inputs()
    assert default.is_required == (type_ != "checkbox")
    assert told.is_required == (type_ == "checkbox")


def test_a_name_has_letters_digits_underscores_and_hyphens() -> None:
    assert all(wrong(field("text", name=name)) == set() for name in ("a", "A-1_b", "0", "x" * 100))
    assert all(wrong(field("text", name=name)) == {"name"} for name in ("", "a b", "a.b", "é", "a:b", "a\n"))


@pytest.mark.parametrize("type_", FIELD_TYPES)
def test_radio_and_dropdown_need_options_and_only_they_and_checkboxes_take_some(type_: str) -> None:
    needs = {"options"} if type_ in {"radio", "dropdown"} else set()
    assert wrong({**field(type_), "options": None}) == needs
    assert wrong({name: value for name, value in field(type_).items() if name != "options"}) == needs
    assert wrong(field(type_, options=TWO)) == (set() if needs or type_ == "checkbox" else {"options"})


@pytest.mark.parametrize("type_", FIELD_TYPES)
def test_a_hint_is_for_what_is_typed_or_chosen_from_a_list(type_: str) -> None:
    takes_none = type_ in {"checkbox", "radio", "initials"}
    assert wrong(field(type_, placeholder="a hint")) == ({"placeholder"} if takes_none else set())
    assert wrong(field(type_, placeholder=None)) == set()


def test_options_can_be_told_apart() -> None:
    assert (
        wrong(field("radio", options=["Yes", "Yes"])) == wrong(field("radio", options=["Yes", " Yes "])) == {"options"}
    )


def test_a_date_has_one_of_seven_formats_and_other_types_have_none() -> None:
    others = ("YYYY/MM/DD", "dd/mm/yyyy", "", "DD.MM.YYYY")
    assert all(wrong(field("date", dateFormat=one)) == set() for one in DATE_FORMATS)
    assert all(wrong(field("date", dateFormat=one)) == {"dateFormat"} for one in others)
    types = set(FIELD_TYPES) - {"date"}
    assert all(wrong(field(type_, dateFormat="DD/MM/YYYY")) == {"dateFormat"} for type_ in types)


def test_the_header_of_a_page_break_is_omitted_null_or_an_object() -> None:
    header = {"title": "Schedule", "subtitle": "of fees"}
    plain, none, own = read({"type": "pageBreak"}, {"type": "pageBreak", "header": None}, {
        "type": "pageBreak", "header": header}).blocks  # fmt: skip
    assert "header" not in plain.model_fields_set
    assert "header" in none.model_fields_set
    assert own.model_dump(mode="json")["header"] == header


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_is_no_length(number: str) -> None:
    written = f'{{"format":"blocks","title":"x","blocks":[{{"type":"spacer","height":{number}}}]}}'
    with pytest.raises(ValidationError):
        BlockDocument.model_validate_json(written, strict=True)
