"""The inputs of a recipient and what is kept of what they submit."""

from enum import StrEnum
from typing import NamedTuple

from domain.session.normalizers import DEFAULT_DATE_FORMAT
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId

CONSENT_VERSION = "2026-11-21"
CONSENT_TEXT = (
    "I agree to sign these documents electronically. My electronic signature is meant to bind me as my handwritten "
    "signature would."
)


class FieldKind(StrEnum):
    """Specification 2.8, fieldType."""

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
    """One input of one recipient. `name` is unique within its file only, so `key` is what a form uses.

    `options` are what can be chosen; a checkbox with options takes several of them. `date_format` counts for dates.
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
    """A value in its normal form; empty when nothing was filled in.

    A string for most kinds: the text, the date in its format, the chosen option, `true` or `false` for one tick box.
    For a checkbox with options it is the chosen ones, in the order of the document. Of initials `png_base64` has the
    picture; the value is empty when they were not typed.
    """

    file_id: FileId
    name: str
    value: str | tuple[str, ...]
    png_base64: str | None = None

    @property
    def chosen(self) -> tuple[str, ...]:
        """The options that were chosen, of an input that has options."""
        if isinstance(self.value, tuple):
            return self.value
        return (self.value,) if self.value else ()


class SignatureKind(StrEnum):
    TYPED = "typed"
    DRAWN = "drawn"
    UPLOADED = "uploaded"  # a picture of a signature on paper


class Signature(FrozenModel):
    """A signature: its picture as PNG (base64), and the name when it was typed."""

    kind: SignatureKind
    text: str | None = None
    png_base64: str | None = None


class SubmittedContent(FrozenModel):
    """All that one recipient handed in, as kept in the store: one immutable JSON object."""

    recipient_key: str
    values: tuple[FieldValue, ...]
    signature: Signature
    consent_version: str


class FieldError(NamedTuple):
    """What is wrong with one input: its key and a sentence that says what to do."""

    key: str
    message: str
