"""Fields of recipients, and the content of a submission."""

from enum import StrEnum
from typing import NamedTuple

from domain.session.value_formats import DEFAULT_DATE_FORMAT
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


class FieldValue(FrozenModel):
    """The normalised value of a field; empty if nothing was entered.

    `value` is a string for most kinds: the text, the date in its format, the chosen option, `true` or `false` for a
    single checkbox. For a checkbox with options it holds the chosen ones, in document order. `png_base64` is the
    picture of initials; `value` is then empty unless they were typed.
    """

    file_id: FileId
    name: str
    value: str | tuple[str, ...]
    png_base64: str | None = None

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen options of a field with options."""
        if isinstance(self.value, tuple):
            return self.value
        return (self.value,) if self.value else ()


class SignatureKind(StrEnum):
    TYPED = "typed"
    DRAWN = "drawn"
    UPLOADED = "uploaded"  # an image of a handwritten signature


class Signature(FrozenModel):
    """A signature: its image as PNG (base64), and the name if it was typed."""

    kind: SignatureKind
    text: str | None = None
    png_base64: str | None = None


class SubmittedContent(FrozenModel):
    """The submission of one recipient, stored as one immutable JSON object."""

    recipient_key: str
    values: tuple[FieldValue, ...]
    signature: Signature
    consent_version: str


class FieldError(NamedTuple):
    """The error of one field: its key, and a message that says what to do."""

    key: str
    message: str
