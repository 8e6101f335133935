"""The submission of a recipient: the values of their fields, and their signature."""

from enum import StrEnum

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId


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
