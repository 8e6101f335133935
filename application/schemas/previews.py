"""Previews of documents (Specification 4.17)."""

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, RootModel

from application.schemas.base import EMAIL_RULE, EmailAddress, RequestModel, ResponseModel
from application.schemas.errors import DocumentIssueRead
from application.schemas.recipient_members import RecipientKey, RecipientName, Role, SigningOrder
from application.schemas.session_create import SOME_SIGNER, UNIQUE_KEYS
from application.schemas.template_create import TemplateRecipients, Variables
from domain.session.recipients import RecipientRole
from domain.shared.limits import MAX_RECIPIENTS
from layout.schema.block_document import BlockDocument
from layout.schema.input import LABEL_RULE
from layout.schema.issues import DocumentWarning, WarningKind
from layout.zone import Zone, ZoneType

_EXAMPLE: dict[str, Any] = {
    "kind": "session",
    "document": {
        "format": "blocks",
        "title": "Consulting agreement",
        "blocks": [
            {"type": "paragraph", "text": "The consultant advises the client on its operations."},
            {"type": "signatureBlock", "label": "For the client", "recipient": "client"},
        ],
    },
    "recipients": [{"key": "client"}],
}


class PreviewRecipient(RequestModel):
    """A recipient. Blocks need the key only; name and email may be left out."""

    key: RecipientKey
    name: RecipientName | None = Field(None, description="Full name.", examples=["Ada Lovelace"])
    email: EmailAddress | None = Field(None, description=EMAIL_RULE, examples=["ada@example.com"])
    signing_order: SigningOrder = None
    role: Role = RecipientRole.SIGNER


class SessionPreview(RequestModel):
    """The document of a session, without variable tokens."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    kind: Literal["session"]
    document: BlockDocument = Field(description="The block document.")
    recipients: Annotated[
        tuple[PreviewRecipient, ...],
        Field(min_length=1, max_length=MAX_RECIPIENTS, description="The recipients, at least one of them a signer."),
        UNIQUE_KEYS,
        SOME_SIGNER,
    ]


class TemplatePreview(RequestModel):
    """The document of a template, with tokens such as `{{{rent}}}` of declared variables."""

    kind: Literal["template"]
    document: BlockDocument = Field(description="The block document.")
    recipients: TemplateRecipients
    variables: Variables = ()


AnyPreview = SessionPreview | TemplatePreview


class PreviewCreate(RootModel[Annotated[AnyPreview, Field(discriminator="kind")]]):
    """A document to preview, for a session or a template."""


class ZoneRead(ResponseModel):
    """The position of a field or signature: a rectangle in points (1/72 inch) from the top left corner of the page."""

    name: str = Field(description="Name of the field, unique in the document.", examples=["start_date"])
    type: ZoneType = Field(description="Type of the zone.")
    label: str = Field(description=LABEL_RULE, examples=["Purchase order"])
    recipient: str = Field(description="Key of the recipient who fills in the zone.")
    page: int = Field(ge=1, description="Page number, from 1.")
    x: float = Field(description="Distance from the left edge of the page in points.")
    y: float = Field(description="Distance from the top edge of the page in points.")
    w: float = Field(description="Width in points.")
    h: float = Field(description="Height in points.")
    required: bool = Field(description="Whether the zone must be filled in.")
    path: str = Field(description="JSON pointer of the block.", examples=["/document/blocks/7"])

    @classmethod
    def from_zone(cls, zone: Zone, base: str) -> Self:
        """Returns the zone. `base` is the JSON pointer of the document in the request."""
        return cls.model_validate({**zone.model_dump(), "path": f"{base}{zone.path}"})


class WarningRead(ResponseModel):
    """A warning about a document, with advice. It does not prevent sending."""

    kind: WarningKind = Field(description="Kind of the warning.")
    message: str = Field(description="What is unwise and what to do about it.")
    path: str = Field(description="JSON pointer into the request.", examples=["/document/theme/primaryColor"])

    @classmethod
    def from_warning(cls, warning: DocumentWarning, base: str) -> Self:
        return cls(kind=warning.kind, message=warning.message, path=f"{base}{warning.path}")


class PreviewRead(ResponseModel):
    """The laid-out document. If it has issues, the page count and the zones may be incomplete."""

    page_count: int = Field(ge=1, description="Number of pages.", examples=[3])
    issues: tuple[DocumentIssueRead, ...] = Field(description="Issues for which the document would be refused.")
    warnings: tuple[WarningRead, ...] = Field(description="Warnings, which do not prevent sending.")
    zones: tuple[ZoneRead, ...] = Field(description="Fields and signatures, in the order of the document.")
