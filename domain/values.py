"""What recipients entered, as programs read it: typed, beside the text that stands on the signed PDF."""

from math import isfinite
from typing import NamedTuple

from domain.fields import Field, FieldKind, FieldValue
from domain.normal_forms import iso_date

Entered = bool | int | float | str | tuple[str, ...] | None
"""A value by its type; None: nothing was entered."""


class TypedValue(NamedTuple):
    """One value. `text` is what was typed or chosen, as it is kept and printed; None of boxes, and where nothing was.

    A checkbox is a boolean, with options a tuple of those that are ticked. A number is an int or a float, and None
    beyond the range of a float. A date is ISO 8601 (`domain.normal_forms.iso_date`). Initials are True where they
    were given, typed or drawn. Everything else is its text.
    """

    value: Entered
    text: str | None


def typed(field: Field, kept: FieldValue) -> TypedValue:
    """What was entered into `field`, of which `kept` is in the store."""
    if field.takes_several:
        return TypedValue(kept.chosen, None)
    if field.kind is FieldKind.CHECKBOX:
        return TypedValue(kept.value == "true", None)
    text = kept.value if isinstance(kept.value, str) else ""
    if field.kind is FieldKind.INITIALS:
        return TypedValue(bool(text or kept.png_base64), text or None)
    if not text:
        return TypedValue(None, None)
    if field.kind is FieldKind.NUMBER:
        return TypedValue(_number(text), text)
    return TypedValue(iso_date(field.date_format, text) if field.kind is FieldKind.DATE else text, text)


def _number(text: str) -> int | float | None:
    number = float(text)
    if not isfinite(number):
        return None
    return number if "." in text else int(text)
