"""Zones: the areas on pages where recipients fill in and sign."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, TypeAdapter


class ZoneType(StrEnum):
    TEXT = "text"  # single-line text on an underline
    MULTILINE_TEXT = "multilineText"
    DATE = "date"
    NUMBER = "number"
    EMAIL = "email"
    AU_MOBILE = "auMobile"
    CHECKBOX = "checkbox"  # one tick box
    RADIO = "radio"
    DROPDOWN = "dropdown"
    INITIALS = "initials"
    SIGNER_NAME = "signerName"  # the recipient's full name, in a signature block
    DATE_SIGNED = "dateSigned"  # the date of signing, in a signature block
    SIGNATURE = "signature"  # the signature itself, in a signature block


class ZoneOption(BaseModel):
    """An option of a zone, with the rectangle of its tick box or radio button."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    x: float
    y: float
    w: float
    h: float


class Zone(BaseModel):
    """A rectangle on a page, in points from the page's top left corner. Pages count from 1.

    `path` is the JSON pointer of its block (`/blocks/7`). `name` is unique within the document: the name of an input,
    or for a signature block its index and part, such as `signature:9:date`, which no input can have.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    type: ZoneType
    label: str
    recipient: str
    page: int
    x: float
    y: float
    w: float
    h: float
    required: bool
    path: str
    placeholder: str | None = None
    options: tuple[ZoneOption, ...] = ()
    date_format: str | None = None


ZONES = TypeAdapter(tuple[Zone, ...])
"""The zones of a document as JSON, which is stored with its PDF."""
