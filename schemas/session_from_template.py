"""The request that creates a session from a template (Specification 4.13)."""

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from domain.templates.variables import MAX_VALUE
from schemas.base import EmailAddress, Identifier, RequestModel
from schemas.session_create import (
    Name,
    RecipientKey,
    RecipientName,
    SessionDefaults,
    SessionSettings,
    SigningOrder,
)

EXAMPLE: JsonDict = {
    "templateId": "2c5ea4c0-4067-4c3b-9f5d-2f3f4c1d8a10",
    "name": "Lease of Ada Lovelace",
    "recipients": [{"key": "tenant", "email": "ada@example.com"}],
    "variableValues": {"tenant": "Ada Lovelace", "address": "12 Quay Street", "rent": "1,300.00"},
    "sendImmediately": True,
}


def _without_defaults(schema: JsonDict) -> None:
    """Left out, these are the template's, whatever they are where there is no template."""
    schema["examples"] = [EXAMPLE]
    members = schema["properties"]
    for name in SessionDefaults.model_fields:
        member = members[to_camel(name)] if isinstance(members, dict) else None
        if isinstance(member, dict):
            member.pop("default", None)


class RecipientGiven(RequestModel):
    """What the template leaves open about one recipient, or what is to be otherwise."""

    key: Annotated[
        RecipientKey | None,
        Field(description="which of the template's recipients; default: the one at the same place in its list"),
    ] = None
    name: Annotated[RecipientName | None, Field(description="default: the template's, with the variables filled")] = (
        None
    )
    email: Annotated[EmailAddress | None, Field(description="default: the template's, with the variables filled")] = (
        None
    )
    signing_order: Annotated[SigningOrder | None, Field(description="default: the template's")] = None


class SessionFromTemplate(SessionSettings):
    """A session to be made from a template. Settings that are left out are the template's."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    template_id: Annotated[Identifier, Field(description="of an active template", examples=[EXAMPLE["templateId"]])]
    name: Annotated[Name | None, Field(description="default: the template's")] = None
    recipients: Annotated[tuple[RecipientGiven, ...], Field(max_length=20)] = ()
    variable_values: Annotated[
        dict[Annotated[str, Field(max_length=100)], JsonValue],
        Field(max_length=100, description="by name: text as strings, dates as `YYYY-MM-DD`, numbers as either"),
        WithJsonSchema(
            {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "string", "maxLength": MAX_VALUE}, {"type": "number"}]},
                "propertyNames": {"maxLength": 100},
                "maxProperties": 100,
                "default": {},
            }
        ),
    ] = Field(default_factory=dict)
