"""Typed values of fields, beside the text on the signed PDF."""

from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from domain.session.fields import Field, FieldKind
from domain.session.submission import FieldValue
from domain.session.value_parsers import to_iso_date
from domain.shared.ids import FileId, RecipientId
from domain.shared.times import rfc3339

InputValue = bool | int | float | str | tuple[str, ...] | None
"""A typed value; None: nothing was entered."""


class TypedValue(NamedTuple):
    """A typed value. `text` is the stored and printed text; None for checkboxes and empty values.

    A checkbox is a boolean, or with options a tuple of the ticked ones. A number is an int or a float, or its text if
    a float would round its decimals or overflow. A date is ISO 8601 (`domain.session.value_parsers.to_iso_date`).
    Initials are True if present. Any other value is its text.
    """

    value: InputValue
    text: str | None


class RecipientValue(NamedTuple):
    """The value of one field, with its recipient and the time at which they signed."""

    field: Field
    entered: TypedValue
    recipient_id: RecipientId
    recipient_key: str
    completed_at: datetime

    def facts(self) -> dict[str, object]:
        """Returns the members of the API."""
        return {
            "name": self.field.name,
            "label": self.field.label,
            "fieldType": self.field.kind.value,
            "value": self.entered.value,
            "text": self.entered.text,
            "recipientId": self.recipient_id,
            "recipientKey": self.recipient_key,
            "completedAt": rfc3339(self.completed_at),
        }


class FileValues(NamedTuple):
    """The values of one file, in document order."""

    file_id: FileId
    file_name: str
    values: tuple[RecipientValue, ...]

    def facts(self) -> dict[str, object]:
        """Returns the members of the API."""
        values = [value.facts() for value in self.values]
        return {"fileId": self.file_id, "fileName": self.file_name, "values": values}


def to_typed_value(field: Field, kept: FieldValue) -> TypedValue:
    """Returns the typed value of a stored field value."""
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
    return TypedValue(to_iso_date(field.date_format, text) if field.kind is FieldKind.DATE else text, text)


def _number(text: str) -> int | float | str:
    nearest = float(text)
    if "." not in text:
        return int(text) if isfinite(nearest) else text
    return nearest if Decimal(repr(nearest)) == Decimal(text) else text
