"""Zones: where on the pages recipients fill in and sign.

The signing page shows them and the stamper fills them, both from the same values.
"""

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
    DATE_SIGNED = "dateSigned"  # when the recipient signed, in a signature block
    SIGNATURE = "signature"  # the signature itself, in a signature block


class ZoneOption(BaseModel):
    """One option of a zone, with the rectangle of its box or round button."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    x: float
    y: float
    w: float
    h: float


class Zone(BaseModel):
    """One rectangle on one page. Points from the page's top left; pages from 1.

    `path` is the JSON pointer of the block it comes from (`/blocks/7`). `name` is unique within the document: an
    input's storage name, or `signature:<index of the block>` with a part such as `signature:9:date`, which no
    input can be called.
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
"""The zones of a document, as JSON: how they are stored beside its PDF."""
