"""The requests that create and rename a template (Specification 4.12)."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, ValidationInfo, WithJsonSchema, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from application.schemas.base import EMAIL_RULE, MULTI_LINE, ONE_LINE, RequestModel, email_address, one_line
from application.schemas.recipient_members import RecipientKey, RecipientMembers, Role
from application.schemas.session_create import SOME_SIGNER, UNIQUE_KEYS, Name, unique
from application.schemas.session_settings import SessionDefaults
from domain.session.recipients import RecipientRole
from domain.shared.limits import MAX_RECIPIENTS
from domain.templates.variables import MAX_VALUE, VariableType, read_value, type_hint
from layout.schema.block_document import BlockDocument
from layout.schema.input import DateFormat
from layout.schema.placeholders import tokens_in

EXAMPLE: JsonDict = {
    "name": "Lease",
    "document": {
        "format": "blocks",
        "title": "Lease",
        "subtitle": "{{{address}}}",
        "blocks": [
            {"type": "paragraph", "text": "{{{tenant}}} rents {{{address}}} for {{{rent}}} a month."},
            {"type": "signatureBlock", "label": "For {{{tenant}}}", "recipient": "tenant"},
        ],
    },
    "recipients": [{"key": "tenant", "name": "{{{tenant}}}", "email": ""}],
    "variables": [
        {"name": "tenant", "displayName": "Tenant"},
        {"name": "address"},
        {"name": "rent", "type": "number", "defaultValue": "1,250.00"},
    ],
    "activate": True,
    "expiryDays": 30,
}


def _blank_or_name(text: str) -> str:
    return one_line(text) if text.strip() else ""


def _blank_or_email(text: str) -> str:
    if not text.strip():
        return ""
    return one_line(text) if tokens_in(text) else email_address(text)


def _without_tokens(text: str) -> str:
    if tokens_in(text):
        raise PydanticCustomError(
            "misplaced_token",
            "Take the tokens out: variables are for the document and for names and emails of recipients.",
        )
    return text


_TOKENS = "May be blank, or hold variable tokens."


class TemplateRecipientCreate(RecipientMembers):
    """A recipient of a template. Specification 2.9."""

    key: RecipientKey
    name: Annotated[str, Field(max_length=100), AfterValidator(_blank_or_name)] = Field(
        "", description=f"Full name. {_TOKENS}"
    )
    email: Annotated[str, Field(max_length=254), AfterValidator(_blank_or_email)] = Field(
        "", description=f"{EMAIL_RULE} {_TOKENS}"
    )
    role: Role = RecipientRole.SIGNER


class VariableCreate(RequestModel):
    """A variable of the template. Specification 2.11."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9_]+$",
        max_length=100,
        description="Name in tokens: `{{{name}}}`. Unique and case-sensitive.",
        examples=["tenant"],
    )
    display_name: Annotated[str, Field(min_length=1, max_length=100), ONE_LINE] | None = Field(
        None, description="Name for display."
    )
    type: VariableType = Field(VariableType.TEXT, description="Type of its values.")
    required: bool = Field(True, description="Whether it must have a value or a default.")
    default_value: Annotated[
        JsonValue,
        WithJsonSchema({"anyOf": [{"type": "string", "maxLength": MAX_VALUE}, {"type": "number"}, {"type": "null"}]}),
    ] = Field(None, description="Value if none is given. Must fit the type.")
    description: Annotated[str, Field(max_length=1000), MULTI_LINE] | None = Field(
        None, description="Hint for the person who enters the value."
    )
    date_format: DateFormat | None = Field(None, description="Format of a printed date. Default: as it is given.")

    @field_validator("date_format")
    @classmethod
    def _format_of_dates(cls, date_format: DateFormat | None, info: ValidationInfo) -> DateFormat | None:
        if date_format is not None and info.data.get("type", VariableType.DATE) is not VariableType.DATE:
            raise PydanticCustomError("date_format", "Only variables of the type date have a dateFormat; leave it out.")
        return date_format

    @field_validator("default_value")
    @classmethod
    def _default_of_the_type(cls, value: JsonValue, info: ValidationInfo) -> JsonValue:
        """Returns the default as text; None for a blank one."""
        type_ = info.data.get("type")
        if value is None or type_ is None:
            return value
        if isinstance(value, str) and not value.strip():
            return None
        text = read_value(type_, value)
        if text is None:
            message = "The default does not fit: a variable of the type {type} takes {expected}."
            raise PydanticCustomError("default", message, {"type": type_.value, "expected": type_hint(type_)})
        return text


TemplateRecipients = Annotated[
    tuple[TemplateRecipientCreate, ...],
    Field(min_length=1, max_length=MAX_RECIPIENTS, description="The recipients, at least one of them a signer."),
    UNIQUE_KEYS,
    SOME_SIGNER,
]
Variables = Annotated[
    tuple[VariableCreate, ...],
    Field(max_length=50, description="Variables that tokens may name."),
    unique("name", "Another variable has the name “{name}” already."),
]


class TemplateCreate(SessionDefaults):
    """A template to create: a document with variables, and settings of its sessions."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Annotated[Name, AfterValidator(_without_tokens)] = Field(
        description="Name of the template, and of its sessions unless they have their own.", examples=["Lease"]
    )
    document: BlockDocument = Field(description="The block document. All texts may hold `{{{variable}}}` tokens.")
    recipients: TemplateRecipients
    variables: Variables = ()
    activate: bool = Field(False, description="Whether the template is active at once instead of a draft.")

    @field_validator("message")
    @classmethod
    def _final_message(cls, message: str | None) -> str | None:
        return message if message is None else _without_tokens(message)


class TemplateRename(RequestModel):
    """A new name of a template."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Lease 2027"}]})

    name: Annotated[Name, AfterValidator(_without_tokens)] = Field(
        description="Name of the template for display.", examples=["Lease"]
    )
