"""What recipients enter is checked in full, type by type, with advice for each mistake. Specification 2.8."""

from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.session.check_one_field import MAX_INITIALS, MAX_TEXT, check_drawing, check_input
from domain.session.fields import Field, FieldKind
from domain.session.submission import FieldValue
from domain.session.value_parsers import EXAMPLE_DATES
from domain.shared.ids import FileId
from tests.builders import identifier

FILE = FileId(identifier("Agreement"))
COLOURS = ("Red", "Dark  green", "Blue")
TEXTS = [
    FieldKind.TEXT, FieldKind.MULTILINE_TEXT, FieldKind.DATE, FieldKind.NUMBER, FieldKind.EMAIL, FieldKind.AU_MOBILE,
    FieldKind.INITIALS,
]  # fmt: skip


def field(kind: FieldKind, *options: str, required: bool = True, **members: str) -> Field:
    return Field.model_validate(
        {"file_id": FILE, "name": "x", "kind": kind, "label": "It", "required": required, "options": options, **members}
    )


def value(entered: Field, *answers: str) -> str | tuple[str, ...]:
    """The value that is kept, of answers that nothing is wrong with."""
    entry = check_input(entered, answers)
    assert entry.problem is None
    return entry.value.value


def advice(entered: Field, *answers: str) -> str:
    problem = check_input(entered, answers).problem
    assert problem is not None
    assert problem.key == entered.key
    return problem.message


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        (FieldKind.TEXT, " Head of\nplanning ", "Head of planning"),
        (FieldKind.MULTILINE_TEXT, "First\r\nSecond", "First\nSecond"),
        (FieldKind.DATE, "1/6/2026", "01/06/2026"),
        (FieldKind.NUMBER, "1,250.5", "1250.5"),
        (FieldKind.EMAIL, "Ada@Example.com ", "Ada@example.com"),
        (FieldKind.AU_MOBILE, "0491570156", "0491 570 156"),
        (FieldKind.INITIALS, " A.L.", "A.L."),
    ],
)
def test_each_kind_of_text_is_kept_in_its_normal_form(kind: FieldKind, typed: str, kept: str) -> None:
    assert value(field(kind), typed) == kept


@pytest.mark.parametrize(
    ("kind", "typed", "message"),
    [
        (FieldKind.DATE, "tomorrow", "Write “It” as a date in the form DD/MM/YYYY, for example 27/03/2026."),
        (FieldKind.NUMBER, "many", "Write “It” as a number, for example 1250.50."),
        (FieldKind.EMAIL, "ada", "Write “It” as an email address, for example name@example.com."),
        (FieldKind.AU_MOBILE, "123", "Write “It” as an Australian mobile number, for example 0491 570 156 or "
                                     "+61 491 570 156."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("required", [True, False])
def test_unreadable_input_is_refused_with_an_example(kind: FieldKind, typed: str, message: str, required: bool) -> None:
    assert advice(field(kind, required=required), typed) == message


def test_a_date_is_read_and_asked_for_in_the_format_of_its_field() -> None:
    expiry = field(FieldKind.DATE, date_format="MM/YY")
    assert value(expiry, "3/27") == "03/27"
    assert "MM/YY, for example 03/26" in advice(expiry, "27/03/2026")


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("answers", [(), ("",), (" \r\n ",)])
def test_only_optional_fields_may_be_empty(kind: FieldKind, answers: tuple[str, ...]) -> None:
    assert value(field(kind, required=False), *answers) == ""
    assert "“It”" in advice(field(kind), *answers)


@pytest.mark.parametrize(
    ("kind", "longest"),
    [(FieldKind.TEXT, MAX_TEXT), (FieldKind.MULTILINE_TEXT, MAX_TEXT), (FieldKind.INITIALS, MAX_INITIALS)],
)
def test_a_text_may_have_its_full_length_and_not_a_character_more(kind: FieldKind, longest: int) -> None:
    assert value(field(kind), "x" * longest) == "x" * longest
    assert advice(field(kind), "x" * (longest + 1)) == f"Shorten “It” to {longest} characters."


def test_invalid_input_is_kept_as_typed() -> None:
    assert check_input(field(FieldKind.DATE), ["31/02/2026"]).value.value == "31/02/2026"


@pytest.mark.parametrize(("answers", "kept"), [((), "false"), (("",), "false"), (("true",), "true"), (("on",), "true")])
def test_one_tick_box_is_true_or_false(answers: tuple[str, ...], kept: str) -> None:
    assert value(field(FieldKind.CHECKBOX, required=False), *answers) == kept


def test_a_required_tick_box_has_to_be_ticked() -> None:
    assert advice(field(FieldKind.CHECKBOX)) == "Tick “It” to continue."


def test_ticked_boxes_are_stored_in_document_order() -> None:
    assert value(field(FieldKind.CHECKBOX, *COLOURS), "Blue", "Dark green", "Blue") == ("Dark  green", "Blue")


def test_one_box_is_enough_and_none_if_optional() -> None:
    assert advice(field(FieldKind.CHECKBOX, *COLOURS)) == "Tick at least one option of “It”."
    assert value(field(FieldKind.CHECKBOX, *COLOURS, required=False)) == ()


@pytest.mark.parametrize("kind", [FieldKind.RADIO, FieldKind.DROPDOWN])
def test_the_text_of_the_chosen_option_is_the_value(kind: FieldKind) -> None:
    assert value(field(kind, *COLOURS), "Dark green") == "Dark  green"
    assert value(field(kind, *COLOURS, required=False), "") == ""
    assert advice(field(kind, *COLOURS)) == "Choose an option for “It”."


@pytest.mark.parametrize("kind", [FieldKind.RADIO, FieldKind.DROPDOWN, FieldKind.CHECKBOX])
@pytest.mark.parametrize("required", [True, False])
def test_only_offered_options_can_be_chosen(kind: FieldKind, required: bool) -> None:
    assert "that are offered for “It”" in advice(field(kind, *COLOURS, required=required), "Red", "Yellow")


def test_drawn_initials_are_kept_as_a_picture() -> None:
    entry = check_drawing(field(FieldKind.INITIALS), b"png")
    assert entry.problem is None
    assert (entry.value.value, entry.text) == ("", "")
    assert b64decode(entry.value.png_base64 or "") == b"png"


def test_required_initials_have_to_be_drawn_when_drawing_was_chosen() -> None:
    problem = check_drawing(field(FieldKind.INITIALS), None).problem
    assert problem is not None
    assert problem.message == "Add your initials to “It”."
    assert check_drawing(field(FieldKind.INITIALS, required=False), None).problem is None


def test_labels_with_braces_are_only_words() -> None:
    braces = field(FieldKind.TEXT).model_copy(update={"label": "{0} {label} {x}"})
    assert advice(braces) == "Fill in “{0} {label} {x}”."


def test_only_typed_text_is_checked_for_printing() -> None:
    assert check_input(field(FieldKind.TEXT), ["abc"]).text == "abc"
    assert check_input(field(FieldKind.INITIALS), ["AL"]).text == "AL"
    assert check_input(field(FieldKind.CHECKBOX), ["true"]).text == ""
    assert check_input(field(FieldKind.RADIO, *COLOURS), ["Red"]).text == ""
    assert check_input(field(FieldKind.CHECKBOX, *COLOURS), ["Red"]).text == ""


def test_values_from_before_drawings_can_be_read() -> None:
    kept = FieldValue.model_validate_json('{"file_id": "f", "name": "x", "value": "true"}')
    assert kept == FieldValue(file_id=FileId("f"), name="x", value="true")


def test_the_chosen_options_of_single_and_multiple_choices() -> None:
    assert [FieldValue(file_id=FILE, name="x", value=kept).chosen for kept in ("", "Red", (), ("Red", "Blue"))] == [
        (),
        ("Red",),
        (),
        ("Red", "Blue"),
    ]


TYPED = st.text(max_size=40) | st.text("0123456789 /.-+(),", max_size=20)


@given(kind=st.sampled_from(FieldKind), typed=TYPED, date_format=st.sampled_from(list(EXAMPLE_DATES)))
def test_normalising_input_again_changes_nothing(kind: FieldKind, typed: str, date_format: str) -> None:
    entered = field(kind, *COLOURS, required=False, date_format=date_format)
    entry = check_input(entered, [typed])
    if entry.problem is None:
        kept = entry.value.value
        assert value(entered, *([kept] if isinstance(kept, str) else kept)) == kept
