"""The request that creates a session (Specification 4.6)."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from application.schemas.base import (
    EMAIL_RULE,
    FILE_NAME_RULE,
    MULTI_LINE,
    NO_PATH,
    ONE_LINE,
    CallbackUrl,
    EmailAddress,
    Identifier,
    RequestModel,
)
from application.schemas.recipient_members import DELIVERY_RULE, RecipientKey, RecipientMembers, RecipientName, Role
from application.schemas.session_settings import SessionDefaults
from domain.session.recipients import Delivery, RecipientRole
from domain.shared.file_names import with_pdf
from domain.shared.limits import MAX_FILES, MAX_RECIPIENTS
from layout.schema.block_document import BlockDocument

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

_PDF_RULE = Field(max_length=255, description=f"{FILE_NAME_RULE} `.pdf` is appended.", examples=["Lease.pdf"])
PdfName = Annotated[str, _PDF_RULE, ONE_LINE, NO_PATH, AfterValidator(with_pdf)]


class UploadedFileCreate(RequestModel):
    """A PDF that was uploaded with Upload File. It is sent for reference and has no fields."""

    type: Literal["uploadedPdf"]
    file_id: Identifier = Field(description="`fileId` of Upload File, of a file of the same organisation.")
    file_name: PdfName | None = Field(None, description="Name of the PDF. Default: the name of the upload.")


class FileCreate(RequestModel):
    """One document of the session, written as blocks."""

    type: Literal["blocks"]
    document: BlockDocument = Field(description="The block document.")
    file_name: PdfName | None = Field(None, description="Name of the PDF. Default: the title of the document.")


class RecipientCreate(RecipientMembers):
    """A recipient. Specification 2.9."""

    key: RecipientKey
    name: RecipientName = Field(description="Full name.", examples=["Ada Lovelace"])
    email: EmailAddress = Field(description=EMAIL_RULE, examples=["ada@example.com"])
    delivery: Delivery = Field(Delivery.EMAIL, description=DELIVERY_RULE)
    role: Role = RecipientRole.SIGNER


AnyFile = FileCreate | UploadedFileCreate


def _some_blocks(files: tuple[AnyFile, ...]) -> tuple[AnyFile, ...]:
    if not any(isinstance(file, FileCreate) for file in files):
        raise PydanticCustomError("no_blocks", "At least one file must be of type “blocks”: only those are signed.")
    return files


def unique(member: str, message: str) -> AfterValidator:
    """Returns a validator that refuses items with equal `member`. `message` has a placeholder for its value."""

    def check(items: tuple[Any, ...]) -> tuple[Any, ...]:
        values = [getattr(item, member) for item in items]
        for position, value in enumerate(values):
            if value in values[:position]:
                raise PydanticCustomError(f"equal_{member}s", message, {member: value, "at": (position, member)})
        return items

    return AfterValidator(check)


UNIQUE_KEYS = unique("key", "Another recipient has the key “{key}” already.")


def _some_signer(recipients: tuple[Any, ...]) -> tuple[Any, ...]:
    if recipients and all(recipient.role is not RecipientRole.SIGNER for recipient in recipients):
        raise PydanticCustomError("no_signer", "At least one recipient must be a signer: give one the role “signer”.")
    return recipients


SOME_SIGNER = AfterValidator(_some_signer)


class SenderCreate(RequestModel):
    """The person who asks for signatures. Mails and pages show "Name at Organisation", and answers go to the email."""

    name: Annotated[str, Field(min_length=1, max_length=100), ONE_LINE] = Field(
        description="Name, in one line.", examples=["Robin Finch"]
    )
    email: EmailAddress = Field(description="Address of answers (Reply-To).", examples=["robin@example.com"])


ExternalId = Annotated[str, Field(min_length=1, max_length=200), ONE_LINE]
MetadataKey = Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
MetadataValue = Annotated[str, StringConstraints(max_length=500), MULTI_LINE]
LABEL_USE = "Returned in responses, callbacks and the feed, searchable in lists, and never shown to recipients."

Metadata = Annotated[dict[MetadataKey, MetadataValue], Field(max_length=20)]
METADATA_RULE = f"Up to 20 texts by keys of 1 to 40 characters. {LABEL_USE}"


class SendingSettings(SessionDefaults):
    """Settings of a session, without its external id and metadata."""

    sender: SenderCreate | None = Field(
        None, description="The person who asks. null: the user who creates the session, if there is one."
    )
    send_immediately: bool = Field(False, description="Whether to send the session at once instead of keeping a draft.")
    callback_url: CallbackUrl | None = Field(None, description="URL that receives callbacks. null: no callbacks.")
    callback_values: bool = Field(
        False,
        description="Whether the callback `recipient.completed` holds the values that the recipient entered. Needs the "
        "scope `read:values` and a `callbackUrl`.",
    )

    @field_validator("callback_values")
    @classmethod
    def _values_have_a_receiver(cls, values: bool, given: ValidationInfo) -> bool:
        if values and given.data.get("callback_url", "") is None:
            raise PydanticCustomError("no_callback_url", "Give a callbackUrl too, or leave this out.")
        return values


class SessionSettings(SendingSettings):
    """All settings of a session."""

    external_id: ExternalId | None = Field(None, description=f"Your identifier of the session. {LABEL_USE}")
    external_id_unique: bool = Field(
        False,
        description="Whether the `externalId` must be unique among the sessions of the organisation that set this. "
        "Otherwise the request fails with 409 `EXTERNAL_ID_TAKEN` and the other session in `sessionId`.",
    )
    metadata: Metadata = Field({}, description=METADATA_RULE, examples=[{"customer": "northwind"}])

    @field_validator("external_id_unique")
    @classmethod
    def _there_is_an_id(cls, unique: bool, given: ValidationInfo) -> bool:
        if unique and given.data.get("external_id", "") is None:
            raise PydanticCustomError("no_external_id", "Give an externalId too, or leave this out.")
        return unique


Name = Annotated[str, Field(min_length=1, max_length=50), ONE_LINE]
"""The name of a session or template."""


Recipients = Annotated[
    tuple[RecipientCreate, ...],
    Field(min_length=1, max_length=MAX_RECIPIENTS, description="The recipients, at least one of them a signer."),
    UNIQUE_KEYS,
    SOME_SIGNER,
]


class SessionCreate(SessionSettings):
    """A session to create."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    elsewhere: ClassVar = {
        "templateId": "use Create Session From Template.",
        "variableValues": "use Create Session From Template.",
        "cc": 'add a recipient with "role": "copy".',
    }

    name: Name = Field(description="Name of the session for display.", examples=["Consulting agreement"])
    files: Annotated[
        tuple[Annotated[AnyFile, Field(discriminator="type")], ...],
        Field(min_length=1, max_length=MAX_FILES, description="1 to 10 documents, at least one of type `blocks`."),
        AfterValidator(_some_blocks),
    ]
    recipients: Recipients
