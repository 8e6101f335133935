"""The request that creates a template (Specification 4.12)."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, ValidationInfo, WithJsonSchema, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from domain.templates.variables import MAX_VALUE, VariableType, read_value, type_hint
from layout.schema.block_document import BlockDocument, DateFormat
from layout.schema.placeholders import tokens_in
from schemas.base import MULTI_LINE, ONE_LINE, RequestModel, email_address, one_line
from schemas.session_create import ORDER_RULE, Name, RecipientKey, SessionDefaults, SigningOrder, unique_keys

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


_FINAL = AfterValidator(_without_tokens)


class TemplateRecipientCreate(RequestModel):
    """Somebody who will be asked to sign. Specification 2.9."""

    key: RecipientKey
    name: Annotated[
        str, Field(max_length=100, description="may be blank, or hold variable tokens"), AfterValidator(_blank_or_name)
    ] = ""
    email: Annotated[
        str, Field(max_length=254, description="may be blank, or hold variable tokens"), AfterValidator(_blank_or_email)
    ] = ""
    signing_order: Annotated[SigningOrder | None, Field(description=ORDER_RULE)] = None


VariableName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_]+$", max_length=100, description="what tokens name: `{{{name}}}`; unique; case counts"
    ),
]


class VariableCreate(RequestModel):
    """A variable that the tokens of the template may name. Specification 2.11."""

    name: VariableName
    display_name: Annotated[str, Field(min_length=1, max_length=100), ONE_LINE] | None = None
    type: VariableType = VariableType.TEXT
    required: Annotated[bool, Field(description="whether it must have a value, given or default")] = True
    default_value: Annotated[
        JsonValue,
        Field(description="the value where none is given; has to fit the type, as any value"),
        WithJsonSchema({"anyOf": [{"type": "string", "maxLength": MAX_VALUE}, {"type": "number"}, {"type": "null"}]}),
    ] = None
    description: Annotated[str, Field(max_length=1000), MULTI_LINE] | None = None
    date_format: Annotated[
        DateFormat | None,
        Field(description="the form in which a date is printed, as that of date fields; default: as it is given"),
    ] = None

    @field_validator("date_format")
    @classmethod
    def _format_of_dates(cls, date_format: DateFormat | None, asked: ValidationInfo) -> DateFormat | None:
        if date_format is not None and asked.data.get("type", VariableType.DATE) is not VariableType.DATE:
            raise PydanticCustomError("date_format", "Only variables of the type date have a dateFormat; leave it out.")
        return date_format

    @field_validator("default_value")
    @classmethod
    def _default_of_the_type(cls, value: JsonValue, asked: ValidationInfo) -> JsonValue:
        """As text; a blank one is none."""
        type_ = asked.data.get("type")
        if value is None or type_ is None:
            return value
        if isinstance(value, str) and not value.strip():
            return None
        text = read_value(type_, value)
        if text is None:
            message = "The default does not fit: a variable of the type {type} takes {expected}."
            raise PydanticCustomError("default", message, {"type": type_.value, "expected": type_hint(type_)})
        return text


def _unique_names(variables: tuple[VariableCreate, ...]) -> tuple[VariableCreate, ...]:
    seen: set[str] = set()
    for position, variable in enumerate(variables):
        if variable.name in seen:
            raise PydanticCustomError(
                "equal_names",
                "Another variable has the name “{name}” already.",
                {"name": variable.name, "at": (position, "name")},
            )
        seen.add(variable.name)
    return variables


TemplateRecipients = Annotated[
    tuple[TemplateRecipientCreate, ...], Field(min_length=1, max_length=20), AfterValidator(unique_keys)
]
Variables = Annotated[tuple[VariableCreate, ...], Field(max_length=50), AfterValidator(_unique_names)]


class TemplateCreate(SessionDefaults):
    """A template to be made: a document with variables, and the settings of sessions that are made from it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Annotated[Name, _FINAL]
    document: Annotated[BlockDocument, Field(description="may hold `{{{variable}}}` tokens in every text")]
    recipients: TemplateRecipients
    variables: Variables = ()
    activate: Annotated[bool, Field(description="true: for use at once; false: a draft")] = False

    @field_validator("message")
    @classmethod
    def _final_message(cls, message: str | None) -> str | None:
        return message if message is None else _without_tokens(message)
