"""Values of variables: what fits a type, how it is printed, and every mistake at once. Specification 4.13."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.session.value_parsers import EXAMPLE_DATES, parse_date, to_iso_date
from domain.templates.variables import Variable, VariableType, read_value, resolve_values

TEXT, DATE, NUMBER = VariableType.TEXT, VariableType.DATE, VariableType.NUMBER


@pytest.mark.parametrize(
    ("type_", "given", "printed"),
    [
        (TEXT, "Ada", "Ada"),
        (TEXT, " two\nlines ", " two\nlines "),
        (TEXT, "{{{x}}}", "{{{x}}}"),
        (DATE, "2026-03-27", "2026-03-27"),
        (DATE, "2028-02-29", "2028-02-29"),
        (NUMBER, "1250", "1250"),
        (NUMBER, "1,250.00", "1,250.00"),
        (NUMBER, "-0.50", "-0.50"),
        (NUMBER, 1250, "1250"),
        (NUMBER, 1250.5, "1250.5"),
        (NUMBER, 1250.0, "1250"),
        (NUMBER, 100, "100"),
        (NUMBER, 0, "0"),
        (NUMBER, -0.0, "0"),
        (NUMBER, 1e-7, "0.0000001"),
        (NUMBER, 999_999_999_999_999, "999999999999999"),
    ],
)
def test_a_value_that_fits_is_printed_as_it_was_given(type_: VariableType, given: object, printed: str) -> None:
    assert read_value(type_, given) == printed


@pytest.mark.parametrize(
    ("type_", "given"),
    [
        *((TEXT, given) for given in (1, 1.5, True, None, [], ["x"], {"x": "y"})),
        *((DATE, given) for given in ("27/03/2026", "2026-3-27", "2026-02-29", "20260327", "2026-W13-5", "0000-01-01")),
        *((DATE, given) for given in ("2026-03-27T00:00:00", " 2026-03-27", "2026-03-27\n", "٢٠٢٦-٠٣-٢٧", 20260327)),
        *((NUMBER, given) for given in ("one", "1.250,00", "1e5", "12€", " 12", "1\n2", "-", ".", "9" * 41, "NaN")),
        *((NUMBER, given) for given in (True, None, [1], float("nan"), float("inf"), 10**15, -(10**15), 1e300, 1e-300)),
    ],
)
def test_a_value_of_another_kind_is_none(type_: VariableType, given: object) -> None:
    assert read_value(type_, given) is None


def test_every_wrong_value_is_named_at_once() -> None:
    variables = [Variable(name="client"), Variable(name="start", type=DATE), Variable(name="rent", type=NUMBER)]
    values = resolve_values(variables, {"start": "soon", "rent": None, "landlord": "Bo", "x" * 99: 1})
    assert values.printed == {}
    assert [wrong.name for wrong in values.wrong] == ["client", "start", "rent", "landlord", "x" * 99]
    assert [wrong.message for wrong in values.wrong[:2]] == [
        "The variable “client” needs a value.",
        "The variable “start” takes a date of the calendar as YYYY-MM-DD, such as “2026-03-27”.",
    ]
    assert all(len(wrong.message) < 200 for wrong in values.wrong)


@pytest.mark.parametrize(
    ("variable", "given", "printed"),
    [
        (Variable(name="x", default_value="y"), {}, "y"),
        (Variable(name="x", default_value="y"), {"x": "z"}, "z"),
        (Variable(name="x", required=False), {}, ""),
        (Variable(name="x", required=False, default_value="y"), {}, "y"),
        (Variable(name="x", required=False, default_value="y"), {"x": ""}, ""),
        (Variable(name="x", required=False, type=DATE), {"x": " "}, ""),
    ],
)
def test_a_missing_value_has_its_default(variable: Variable, given: dict[str, object], printed: str) -> None:
    assert resolve_values([variable], given) == ({"x": printed}, ())


@pytest.mark.parametrize("value", ["", " ", "\n"])
def test_a_required_value_may_not_be_blank(value: str) -> None:
    (wrong,) = resolve_values([Variable(name="x", default_value="y")], {"x": value}).wrong
    assert wrong.message == "The variable “x” needs a value that is not blank."


@given(st.integers(-(10**15) + 1, 10**15 - 1) | st.floats(-1e15, 1e15, exclude_min=True, exclude_max=True))
def test_a_json_number_is_printed_as_the_same_number_in_plain_decimals(number: float) -> None:
    printed = read_value(NUMBER, number)
    if printed is not None:
        assert float(printed) == number
        assert "e" not in printed.lower()


@pytest.mark.parametrize(("date_format", "printed"), [(None, "2026-03-27"), *EXAMPLE_DATES.items()])
def test_a_date_is_printed_in_the_form_of_its_variable(date_format: str | None, printed: str) -> None:
    given, default = Variable(name="start", type=DATE, date_format=date_format), "2026-03-27"
    optional = given.model_copy(update={"required": False})
    with_default = given.model_copy(update={"default_value": default})
    assert resolve_values([given], {"start": default}).printed == {"start": printed}
    assert resolve_values([with_default], {}).printed == {"start": printed}
    assert resolve_values([optional], {}).printed == resolve_values([optional], {"start": " "}).printed == {"start": ""}
    assert resolve_values([given], {"start": printed}).wrong or printed == default


@given(
    st.dates(min_value=date(1000, 1, 1)),
    st.sampled_from([form for form in EXAMPLE_DATES if "DD" in form and "YYYY" in form]),
)
def test_every_day_is_printed_as_a_recipient_would_write_it(day: date, date_format: str) -> None:
    variable = Variable(name="start", type=DATE, date_format=date_format)
    printed = resolve_values([variable], {"start": day.isoformat()}).printed["start"]
    assert parse_date(date_format, printed) == printed
    assert to_iso_date(date_format, printed) == day.isoformat()
