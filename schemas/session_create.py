"""The request that creates a session (Specification 4.6)."""

from typing import Annotated, Literal, Protocol, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from domain.session.recipients import RecipientVerification
from domain.session.reminders_and_outcome_mails import ReminderFrequency
from domain.shared.file_names import with_pdf
from layout.schema.block_document import BlockDocument
from schemas.base import (
    FILE_NAME_RULE,
    MULTI_LINE,
    NO_PATH,
    ONE_LINE,
    WHOLE,
    CallbackUrl,
    EmailAddress,
    Identifier,
    Key,
    RequestModel,
)

EXAMPLE: JsonDict = {
    "name": "Consulting agreement",
    "files": [
        {
            "type": "blocks",
            "document": {
                "format": "blocks",
                "title": "Consulting agreement",
                "blocks": [
                    {"type": "heading", "text": "1. Services"},
                    {"type": "paragraph", "text": "The consultant advises the client on its operations."},
                    {"type": "field", "fieldType": "text", "label": "Purchase order", "recipient": "client"},
                    {"type": "signatureBlock", "label": "For the client", "recipient": "client"},
                ],
            },
        }
    ],
    "recipients": [{"key": "client", "name": "Ada Lovelace", "email": "ada@example.com"}],
    "sendImmediately": True,
    "expiryDays": 30,
    "reminderEnabled": True,
    "reminderFrequency": "weekly",
    "callbackUrl": "https://example.com/callbacks",
}

PdfName = Annotated[
    str,
    Field(max_length=255, description=f"{FILE_NAME_RULE}; `.pdf` is appended"),
    ONE_LINE,
    NO_PATH,
    AfterValidator(with_pdf),
]


class UploadedFileCreate(RequestModel):
    """A PDF that was uploaded with Upload File, sent along for reference. It has no fields."""

    type: Literal["uploadedPdf"]
    file_id: Annotated[Identifier, Field(description="what Upload File answered with; a file of the same organisation")]
    file_name: PdfName | None = None


class FileCreate(RequestModel):
    """One document of the session, written as blocks."""

    type: Literal["blocks"]
    document: BlockDocument
    file_name: PdfName | None = None


RecipientKey = Annotated[Key, Field(description="by which blocks name the recipient; unique")]
RecipientName = Annotated[str, Field(min_length=1, max_length=100), ONE_LINE]
SigningOrder = Annotated[int, Field(ge=1, le=1000), WHOLE]
ORDER_RULE = "from 1; equal ones sign in parallel; default: the position"


class RecipientCreate(RequestModel):
    """A recipient. Specification 2.9."""

    key: RecipientKey
    name: RecipientName
    email: EmailAddress
    signing_order: Annotated[SigningOrder | None, Field(description=ORDER_RULE)] = None


class Keyed(Protocol):
    @property
    def key(self) -> str: ...


K = TypeVar("K", bound=Keyed)


AnyFile = FileCreate | UploadedFileCreate


def _some_blocks(files: tuple[AnyFile, ...]) -> tuple[AnyFile, ...]:
    if not any(isinstance(file, FileCreate) for file in files):
        raise PydanticCustomError("no_blocks", "At least one file must be of type “blocks”: only those are signed.")
    return files


def unique_keys(recipients: tuple[K, ...]) -> tuple[K, ...]:
    """Returns `recipients`. Refuses equal keys."""
    seen: set[str] = set()
    for position, recipient in enumerate(recipients):
        if recipient.key in seen:
            raise PydanticCustomError(
                "equal_keys",
                "Another recipient has the key “{key}” already.",
                {"key": recipient.key, "at": (position, "key")},
            )
        seen.add(recipient.key)
    return recipients


class SessionDefaults(RequestModel):
    """Settings of a session that a template may hold for its sessions."""

    expiry_days: Annotated[
        Annotated[int, Field(ge=1, le=730), WHOLE] | None,
        Field(description="days from sending until it expires; null: never"),
    ] = None
    reminder_enabled: Annotated[bool, Field(description="whether those whose turn it is are reminded")] = False
    reminder_frequency: Annotated[
        ReminderFrequency,
        Field(description="every day, 7 days, month or 3 months from sending; months keep the day, or their last one"),
    ] = ReminderFrequency.WEEKLY
    message: Annotated[str, Field(max_length=1000, description="shown in the invitation"), MULTI_LINE] | None = None
    recipient_verification: Annotated[
        RecipientVerification,
        Field(
            description="`emailCode`: before the documents open, each recipient enters a code of 6 digits that is sent "
            "to their address; it works once, for 10 minutes, and ends after 5 wrong tries"
        ),
    ] = RecipientVerification.NONE


ExternalId = Annotated[str, Field(min_length=1, max_length=200), ONE_LINE]
MetadataKey = Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
MetadataValue = Annotated[str, StringConstraints(max_length=500), MULTI_LINE]
_OWN = "returned in answers, callbacks and the feed, found in lists, and never shown to recipients"


class SessionSettings(SessionDefaults):
    """All settings of a session."""

    send_immediately: bool = False
    callback_url: CallbackUrl | None = None
    callback_values: Annotated[
        bool,
        Field(
            description="whether the callback `recipient.completed` holds what that recipient entered; needs the scope "
            "`read:values` and a `callbackUrl`"
        ),
    ] = False

    external_id: Annotated[ExternalId | None, Field(description=f"what you call the session; {_OWN}")] = None
    external_id_unique: Annotated[
        bool,
        Field(
            description="whether no other session of the organisation may have been made with this `externalId` as a "
            "unique one: then 409 `EXTERNAL_ID_TAKEN` names that session in `sessionId`"
        ),
    ] = False
    metadata: Annotated[
        dict[MetadataKey, MetadataValue],
        Field(
            max_length=20,
            description=f"up to 20 texts by keys of 1 to 40 characters; {_OWN}",
            examples=[{"customer": "northwind"}],
        ),
    ] = Field(default_factory=dict)

    @field_validator("external_id_unique")
    @classmethod
    def _there_is_an_id(cls, wanted: bool, given: ValidationInfo) -> bool:
        if wanted and given.data.get("external_id", "") is None:
            raise PydanticCustomError("no_external_id", "Give an externalId too, or leave this out.")
        return wanted

    @field_validator("callback_values")
    @classmethod
    def _values_have_a_receiver(cls, wanted: bool, given: ValidationInfo) -> bool:
        if wanted and given.data.get("callback_url", "") is None:
            raise PydanticCustomError("no_callback_url", "Give a callbackUrl too, or leave this out.")
        return wanted


Name = Annotated[str, Field(min_length=1, max_length=50), ONE_LINE]
"""The name of a session or template."""


class SessionCreate(SessionSettings):
    """A session to create."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    files: Annotated[
        tuple[Annotated[AnyFile, Field(discriminator="type")], ...],
        Field(min_length=1, max_length=10, description="1 to 10; at least one of type `blocks`"),
        AfterValidator(_some_blocks),
    ]
    recipients: Annotated[tuple[RecipientCreate, ...], Field(min_length=1, max_length=20), AfterValidator(unique_keys)]
