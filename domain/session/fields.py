"""Fields of recipients."""

from enum import StrEnum
from typing import NamedTuple

from domain.session.value_parsers import DEFAULT_DATE_FORMAT
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId


class FieldKind(StrEnum):
    """The type of a field (Specification 2.8)."""

    TEXT = "text"
    MULTILINE_TEXT = "multilineText"
    DATE = "date"
    NUMBER = "number"
    EMAIL = "email"
    AU_MOBILE = "auMobile"
    CHECKBOX = "checkbox"
    RADIO = "radio"
    DROPDOWN = "dropdown"
    INITIALS = "initials"


class Field(FrozenModel):
    """A field of one recipient. `name` is unique within its file; forms use `key`.

    `options` are the choices; a checkbox with options accepts several. `date_format` applies to dates.
    """

    file_id: FileId
    name: str
    kind: FieldKind
    label: str
    required: bool
    options: tuple[str, ...] = ()
    date_format: str = DEFAULT_DATE_FORMAT

    @property
    def key(self) -> str:
        return f"{self.file_id}/{self.name}"

    @property
    def takes_several(self) -> bool:
        return self.kind is FieldKind.CHECKBOX and bool(self.options)


class FieldError(NamedTuple):
    """The error of one field: its key, and a message that says what to do."""

    key: str
    message: str
