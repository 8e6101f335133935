"""Documents laid out for a look, before anything is made of them (Specification 4.17)."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, RootModel

from layout.schema.block_document import BlockDocument
from layout.schema.issues import DocumentWarning, WarningKind
from layout.zones.zone import Zone, ZoneType
from schemas.base import EmailAddress, RequestModel, ResponseModel
from schemas.errors import DocumentIssueRead
from schemas.session_create import ORDER_RULE, RecipientKey, RecipientName, SigningOrder, unique_keys
from schemas.template_create import TemplateRecipients, Variables

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
    """Somebody who will be asked to sign. Blocks need the key alone; name and email may come later."""

    key: RecipientKey
    name: RecipientName | None = None
    email: EmailAddress | None = None
    signing_order: Annotated[SigningOrder | None, Field(description=ORDER_RULE)] = None


class SessionPreview(RequestModel):
    """The document of a session: it is final, and may hold no variable tokens."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    kind: Literal["session"]
    document: BlockDocument
    recipients: Annotated[tuple[PreviewRecipient, ...], Field(min_length=1, max_length=20), AfterValidator(unique_keys)]


class TemplatePreview(RequestModel):
    """The document of a template: it may hold tokens such as `{{{rent}}}` of the variables that are declared."""

    kind: Literal["template"]
    document: BlockDocument
    recipients: TemplateRecipients
    variables: Variables = ()


AnyPreview = SessionPreview | TemplatePreview


class PreviewCreate(RootModel[Annotated[AnyPreview, Field(discriminator="kind")]]):
    """A document to look at, as one of a session or of a template."""


class ZoneRead(ResponseModel):
    """Where on the pages somebody fills in or signs: a rectangle in points (1/72 inch) from the page's top left."""

    name: Annotated[str, Field(description="storage key of an input; unique in the document", examples=["start_date"])]
    type: ZoneType
    label: str
    recipient: Annotated[str, Field(description="key of the recipient whose it is")]
    page: Annotated[int, Field(ge=1, description="from 1")]
    x: Annotated[float, Field(description="points from the left edge of the page to that of the zone")]
    y: Annotated[float, Field(description="points from the top edge of the page to that of the zone")]
    w: Annotated[float, Field(description="width in points")]
    h: Annotated[float, Field(description="height in points")]
    required: bool
    path: Annotated[str, Field(description="JSON pointer of its block", examples=["/document/blocks/7"])]

    @classmethod
    def from_zone(cls, zone: Zone, base: str) -> Self:
        """`base` is the JSON pointer of the document in the request."""
        return cls.model_validate({**zone.model_dump(), "path": f"{base}{zone.path}"})


class WarningRead(ResponseModel):
    """Something unwise that keeps nothing from being sent, with what to do about it."""

    kind: WarningKind
    message: str
    path: Annotated[str, Field(description="JSON pointer into the request", examples=["/document/theme/primaryColor"])]

    @classmethod
    def from_warning(cls, warning: DocumentWarning, base: str) -> Self:
        return cls(kind=warning.kind, message=warning.message, path=f"{base}{warning.path}")


class PreviewRead(ResponseModel):
    """A document as it would come out. With issues, pages and zones are as far as they could be found."""

    page_count: Annotated[int, Field(ge=1)]
    issues: Annotated[tuple[DocumentIssueRead, ...], Field(description="everything for which it would be refused")]
    warnings: tuple[WarningRead, ...]
    zones: Annotated[tuple[ZoneRead, ...], Field(description="in the order of the document")]
