"""Base classes and members of schemas."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from domain.callbacks.callback_urls import MAX_LENGTH, callback_url_errors
from domain.shared.email_addresses import parse_email
from domain.shared.ids import EventId, FileId, RecipientId, SessionId, TemplateId
from domain.shared.times import rfc3339
from domain.texts.code_points import DIRECTION_CONTROLS, named
from domain.texts.combining_marks import TOO_MANY_MARKS, has_too_many_marks
from layout.schema.part import WHOLE, not_blank

PRIVATE_CALLBACKS = "private_callbacks"
"""Key of the validation context: whether the operator allows callbacks to plain http and private addresses."""

Identifier = Annotated[str, StringConstraints(max_length=100)]
"""An identifier. One with a wrong format gets the same response as an unknown one."""


class RequestModel(BaseModel):
    """Base of requests: unknown members are refused, and no types are converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)

    elsewhere: ClassVar[Mapping[str, str]] = {}
    """What to do instead, by the name of a member that this request does not have."""


class ResponseModel(BaseModel):
    """Base of responses."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


Timestamp = Annotated[
    datetime,
    PlainSerializer(rfc3339, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-06-12T10:30:00.000Z"]}),
]
"""A time: RFC 3339, UTC, with milliseconds."""

SHA256_EXAMPLE = "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b"
EMAIL_RULE = "Email address, stored in lower case."
KEY_RULE = "Key with which blocks name the recipient."
ORDER_RULE = "Position in the signing order, from 1. Recipients with the same number sign in parallel."
ROLE_RULE = "What the recipient is asked to do; absent for a signer."
DELEGATION_RULE = "Whether recipients may pass their turn on to another person; absent if they may not."
FILE_NAME_RULE = (
    "At most 255 characters, not blank, without slashes, line breaks, control characters and direction overrides."
)


def _uuid(text: str) -> Any:  # noqa: ANN401  # as `Field`
    example = "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"
    return Field(description=text, examples=[example], json_schema_extra={"format": "uuid"})


SessionUuid = Annotated[SessionId, _uuid("Unique identifier of the session.")]
FileUuid = Annotated[FileId, _uuid("Unique identifier of the file.")]
RecipientUuid = Annotated[RecipientId, _uuid("Unique identifier of the recipient.")]
TemplateUuid = Annotated[TemplateId, _uuid("Unique identifier of the template.")]
EventUuid = Annotated[EventId, _uuid("Unique identifier of the event: the `webhook-id` of its callback.")]


def _plain_letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text[:100]).lower()


def known_statuses(enum: type[StrEnum]) -> BeforeValidator:
    """Returns the validator of a list of statuses, each a value of `enum` or several, separated by commas."""

    def split(given: object) -> object:
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            return given
        values = [value for text in texts for value in text.split(",")]
        unknown = ", ".join(f"“{value[:100]}”" for value in values[:10] if value not in tuple(enum))
        if unknown:
            spelt = {_plain_letters(value): value for value in enum}
            meant = spelt.get(_plain_letters(next(value for value in values if value not in tuple(enum))))
            message = "There is no status {unknown}; name some of {known}, separated by commas.{advice}"
            advice = f" Perhaps “{meant}” is meant." if meant else ""
            raise PydanticCustomError(
                "status", message, {"unknown": unknown, "known": ", ".join(enum), "advice": advice}
            )
        return tuple(enum(value) for value in values)

    return BeforeValidator(split)


class PageQuery(RequestModel):
    """The requested page of a list (Specification 10.4)."""

    limit: Annotated[int, Field(ge=1, le=100), WHOLE] = Field(50, description="Maximum number of items to return.")
    offset: Annotated[int, Field(ge=0, le=1_000_000_000), WHOLE] = Field(0, description="Number of items to skip.")


class Pagination(ResponseModel):
    """The position of a page in its list."""

    total: int = Field(description="Number of items in the list.", examples=[120])
    limit: int = Field(description="Maximum number of items on a page.", examples=[50])
    offset: int = Field(description="Number of items before this page.", examples=[0])
    has_more: bool = Field(description="Whether items follow this page.", examples=[False])

    @classmethod
    def of(cls, total: int, limit: int, offset: int) -> Self:
        """Returns the position of the page of `limit` items from `offset` (from 0) on."""
        return cls(total=total, limit=limit, offset=offset, has_more=offset + limit < total)


def one_line(text: str) -> str:
    """Returns `text`. Refuses blank text, too many combining marks, and characters that end a line or turn it.

    A mail header would end at a line break, and a file name would be read differently after a direction override.
    """
    found = [
        character
        for character in not_blank(text)
        if unicodedata.category(character) in {"Cc", "Zl", "Zp"} or character in DIRECTION_CONTROLS
    ]
    if found:
        message = "Remove line breaks, control characters and characters that set a direction: {characters}."
        raise PydanticCustomError("control_characters", message, {"characters": named(found)})
    return few_marks(text)


def _multi_line(text: str) -> str:
    """Returns `text`. Refuses too many combining marks, and control characters other than line breaks and tabs."""
    found = [character for character in text if character not in "\r\n\t" and unicodedata.category(character) == "Cc"]
    if found:
        message = "Remove these control characters: {characters}."
        raise PydanticCustomError("control_characters", message, {"characters": named(found)})
    return few_marks(text)


def few_marks(text: str) -> str:
    """Returns `text`. Refuses a letter with more combining marks than any orthography has."""
    if has_too_many_marks(text):
        raise PydanticCustomError("too_many_marks", TOO_MANY_MARKS)
    return text


MAX_EMAIL = 254

_NO_EMAIL = "Enter a full email address, like ada@example.com."


def email_address(text: str) -> str:
    """Returns the address in lower case. Domains of internal networks (`.local`, `.test`) are accepted."""
    address = parse_email(text, takes_mail=True)
    if address is None:
        raise PydanticCustomError("email", _NO_EMAIL)
    return address.lower()


def _callback_url(url: str, info: ValidationInfo) -> str:
    context = info.context if isinstance(info.context, dict) else {}
    faults = callback_url_errors(url, private=bool(context.get(PRIVATE_CALLBACKS)))
    if faults:
        raise PydanticCustomError("callback_url", "{faults}", {"faults": " ".join(faults)})
    return url


def _true_or_false(text: object) -> bool:
    if text not in ("true", "false"):
        raise PydanticCustomError("bool_parsing", "Write true or false.")
    return text == "true"


QueryBoolean = Annotated[bool, BeforeValidator(_true_or_false)]
"""A boolean of a query: `true` or `false`, but not `1` or `TRUE`."""


KEYED = re.compile(r"([^\[\]]+)\[(.*)\]", re.DOTALL)
"""Matches a query parameter for one key of an object, such as `metadata[customer]`. The groups are object and key."""


def _no_path(text: str) -> str:
    """Returns `text`. Refuses slashes."""
    if "/" in text or "\\" in text:
        raise PydanticCustomError("path", "A file name holds no slashes.")
    return text


ONE_LINE = AfterValidator(one_line)
NO_PATH = AfterValidator(_no_path)
MULTI_LINE = AfterValidator(_multi_line)

EmailAddress = Annotated[
    str,
    StringConstraints(max_length=MAX_EMAIL),
    AfterValidator(email_address),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_EMAIL}),
]
"""An email address, stored in lower case (Specification 2.9)."""

CallbackUrl = Annotated[
    str,
    StringConstraints(max_length=4 * MAX_LENGTH),
    AfterValidator(_callback_url),
    WithJsonSchema(
        {
            "type": "string",
            "format": "uri",
            "maxLength": MAX_LENGTH,
            "description": "An absolute https URL without user name, password and fragment. The operator may allow "
            "plain http and private addresses too.",
            "examples": ["https://example.com/callbacks"],
        }
    ),
]


Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
"""A client's name for a recipient (Specification 2.9)."""
