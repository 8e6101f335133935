"""Variables of templates and their values (Specification 2.11, 4.13).

`application.schemas.template_create` checks definitions.
A value is printed as given: dates as `YYYY-MM-DD` unless the variable has a `date_format`, numbers as written. A JSON
number is printed as plain decimals, without an exponent or trailing zeros.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from domain.session.value_parsers import format_date, parse_number
from domain.shared.frozen_model import FrozenModel
from domain.texts.blank import is_blank
from domain.texts.described_enum import DescribedEnum

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_EXACT = 10**15
"""JSON numbers must be smaller, because some programs do not represent larger ones exactly."""

_MAX_LENGTH = 40

MAX_VALUE = 100_000
"""Maximum characters of a text value."""


class VariableType(DescribedEnum):
    """Type of the values of a variable."""

    TEXT = "text", "any text, printed as it is given"
    DATE = "date", "a day as `YYYY-MM-DD`, printed in the `dateFormat` of the variable, or as it is given"
    NUMBER = "number", "a number, or a text that reads as one, such as `1,250.00`"


_TAKES = {
    VariableType.TEXT: f"text, as a string of at most {MAX_VALUE:,} characters",
    VariableType.DATE: "a date of the calendar as YYYY-MM-DD, such as “2026-03-27”",
    VariableType.NUMBER: "a number, as a string of at most 40 characters such as “1,250.00” or, with at most 15 digits "
    "before the point, as a JSON number",
}


class Variable(FrozenModel):
    """A variable of a template. `date_format` is one of `EXAMPLE_DATES`; None: dates are printed as given."""

    name: str
    display_name: str | None = None
    type: VariableType = VariableType.TEXT
    required: bool = True
    default_value: str | None = None
    description: str | None = None
    date_format: str | None = None

    def written(self, value: str) -> str:
        """Returns a valid `value` as it is printed."""
        return format_date(self.date_format, date.fromisoformat(value)) if self.date_format and value else value


def sample_values(variables: Sequence[Variable]) -> dict[str, str]:
    """Returns a printed value for each of `variables`, for a preview: its default value, or an example of its type."""
    return {variable.name: variable.written(variable.default_value or _sample(variable)) for variable in variables}


def _sample(variable: Variable) -> str:
    match variable.type:
        case VariableType.TEXT:
            return variable.display_name or variable.name.replace("_", " ")
        case VariableType.DATE:
            return "2027-03-15"
        case VariableType.NUMBER:
            return "1,250.00"


class VariableError(NamedTuple):
    """The error of one variable."""

    name: str
    message: str


class ResolvedValues(NamedTuple):
    """The printed values by variable, and all errors."""

    printed: Mapping[str, str]
    wrong: tuple[VariableError, ...]


def resolve_values(variables: Sequence[Variable], given: Mapping[str, object]) -> ResolvedValues:
    """Returns the printed values of `variables` from the given values and the defaults."""
    printed: dict[str, str] = {}
    wrong: list[VariableError] = []
    for variable in variables:
        value = _value_of(variable, given)
        if isinstance(value, VariableError):
            wrong.append(value)
        else:
            printed[variable.name] = value
    known = {variable.name for variable in variables}
    wrong += [_unknown(name) for name in given if name not in known]
    return ResolvedValues(printed, tuple(wrong))


def _value_of(variable: Variable, given: Mapping[str, object]) -> str | VariableError:
    if variable.name not in given:
        if variable.default_value is not None or not variable.required:
            return variable.written(variable.default_value or "")
        return VariableError(variable.name, f"The variable “{variable.name}” needs a value.")
    value = given[variable.name]
    if isinstance(value, str) and is_blank(value):
        if variable.required:
            return VariableError(variable.name, f"The variable “{variable.name}” needs a value that is not blank.")
        return ""
    text = read_value(variable.type, value)
    if text is None:
        return VariableError(variable.name, f"The variable “{variable.name}” takes {type_hint(variable.type)}.")
    return variable.written(text)


def _unknown(name: str) -> VariableError:
    shown = name if len(name) <= _MAX_LENGTH else f"{name[: _MAX_LENGTH - 1]}…"
    return VariableError(name, f"The template has no variable “{shown}”. Leave the value out.")


def type_hint(type_: VariableType) -> str:
    """Returns a description of the values that a type accepts, for the end of a sentence."""
    return _TAKES[type_]


def read_value(type_: VariableType, given: object) -> str | None:
    """Returns a non-blank value as text; None if it does not match the type."""
    match type_:
        case VariableType.TEXT:
            return given if isinstance(given, str) and len(given) <= MAX_VALUE else None
        case VariableType.DATE:
            return given if isinstance(given, str) and _is_date(given) else None
        case VariableType.NUMBER:
            return _number(given)


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _number(given: object) -> str | None:
    if isinstance(given, str):
        is_plain = len(given) <= _MAX_LENGTH and given == given.strip() and not _has_controls(given)
        return given if is_plain and parse_number(given) is not None else None
    if isinstance(given, bool) or not isinstance(given, int | float) or not abs(given) < _EXACT:
        return None
    plain = f"{Decimal(str(given)):f}"
    text = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return {"-0": "0"}.get(text, text) if len(text) <= _MAX_LENGTH else None


def _has_controls(text: str) -> bool:
    return any(unicodedata.category(character) in {"Cc", "Zl", "Zp"} for character in text)
