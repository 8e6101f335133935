"""Values as programs read them: typed, beside the text that is printed."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.session.check_one_field import check_drawing, check_input
from domain.session.fields import Field, FieldKind
from domain.session.reported_values import TypedValue, to_typed_value
from domain.session.value_parsers import EXAMPLE_DATES
from domain.shared.ids import FileId
from tests.builders import identifier

OPTIONS = ("Bank  transfer", "true", "3")


def field(kind: FieldKind, **members: Any) -> Field:
    standard = {"file_id": FileId(identifier("file")), "name": "it", "label": "It", "required": False}
    return Field(kind=kind, **{**standard, **members})


def entered(kind: FieldKind, *answers: str, **members: Any) -> TypedValue:
    """What is read of what a recipient entered."""
    asked = field(kind, **members)
    entry = check_input(asked, answers)
    assert entry.problem is None
    return to_typed_value(asked, entry.value)


@pytest.mark.parametrize(
    ("kind", "answer", "value", "text"),
    [
        (FieldKind.TEXT, " 0042 ", "0042", "0042"),
        (FieldKind.TEXT, "true", "true", "true"),
        (FieldKind.MULTILINE_TEXT, "a \n b", "a\n b", "a\n b"),
        (FieldKind.NUMBER, "1,250.50", 1250.5, "1250.50"),
        (FieldKind.NUMBER, "-3", -3, "-3"),
        (FieldKind.NUMBER, "9007199254740993", 9007199254740993, "9007199254740993"),
        (FieldKind.NUMBER, "0.1", 0.1, "0.1"),
        (FieldKind.NUMBER, "12345678901234567.89", "12345678901234567.89", "12345678901234567.89"),
        (FieldKind.NUMBER, "9" * 400, "9" * 400, "9" * 400),
        (FieldKind.DATE, "1.6.2026", "2026-06-01", "01/06/2026"),
        (FieldKind.EMAIL, "Ada@EXAMPLE.com", "Ada@example.com", "Ada@example.com"),
        (FieldKind.AU_MOBILE, "0491570156", "0491 570 156", "0491 570 156"),
        (FieldKind.CHECKBOX, "on", True, None),
        (FieldKind.CHECKBOX, "", False, None),
        (FieldKind.INITIALS, "AL", True, "AL"),
    ],
)
def test_a_value_has_the_type_of_its_input(kind: FieldKind, answer: str, value: object, text: str | None) -> None:
    found = entered(kind, answer)
    assert found == TypedValue(value, text)
    assert type(found.value) is type(value)


@pytest.mark.parametrize("kind", [FieldKind.RADIO, FieldKind.DROPDOWN])
def test_the_value_of_a_choice_is_the_text_of_the_option(kind: FieldKind) -> None:
    assert entered(kind, "Bank transfer", options=OPTIONS) == TypedValue("Bank  transfer", "Bank  transfer")
    assert entered(kind, "true", options=OPTIONS).value == "true"
    assert entered(kind, "3", options=OPTIONS).value == "3"


def test_the_value_of_boxes_is_the_ticked_options_in_document_order() -> None:
    assert entered(FieldKind.CHECKBOX, "3", "Bank transfer", options=OPTIONS) == TypedValue(
        ("Bank  transfer", "3"), None
    )
    assert entered(FieldKind.CHECKBOX, options=OPTIONS) == TypedValue((), None)


def test_drawn_initials_are_there_and_say_nothing() -> None:
    asked = field(FieldKind.INITIALS)
    assert to_typed_value(asked, check_drawing(asked, b"png").value) == TypedValue(True, None)
    assert to_typed_value(asked, check_drawing(asked, None).value) == TypedValue(False, None)


@pytest.mark.parametrize("kind", sorted(set(FieldKind) - {FieldKind.CHECKBOX, FieldKind.INITIALS}))
def test_the_value_of_an_empty_field_is_none(kind: FieldKind) -> None:
    assert entered(kind, "", options=OPTIONS) == TypedValue(None, None)


@given(st.dates(), st.sampled_from(sorted(EXAMPLE_DATES)))
def test_a_date_is_iso_in_every_format_that_names_its_century(day: date, date_format: str) -> None:
    parts = {"YYYY": f"{day.year:04}", "YY": f"{day.year % 100:02}", "MM": f"{day.month:02}", "DD": f"{day.day:02}"}
    answer = date_format
    for name, digits in parts.items():
        answer = answer.replace(name, digits)
    entry = check_input(field(FieldKind.DATE, date_format=date_format), [answer])
    if entry.problem:  # 29 February of a year whose century is left out
        return
    found = to_typed_value(entry.field, entry.value)
    iso = day.isoformat() if "DD" in date_format else day.isoformat()[:7]
    assert found == TypedValue(iso if "YYYY" in date_format else answer, answer)


@given(st.from_regex(r"-?[0-9]{1,400}(\.[0-9]{0,400})?", fullmatch=True))
def test_a_number_in_json_has_every_digit(answer: str) -> None:
    found = entered(FieldKind.NUMBER, answer)
    assert found.text is not None
    assert Decimal(found.text) == Decimal(answer)
    assert Decimal(str(json.loads(json.dumps(found.value, allow_nan=False)))) == Decimal(answer)
