"""The request that creates a session from a template (Specification 4.13)."""

from collections.abc import Callable
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from application.schemas.base import EMAIL_RULE, ORDER_RULE, EmailAddress, Identifier
from application.schemas.recipient_members import (
    DELIVERY_RULE,
    RecipientKey,
    RecipientMembers,
    RecipientName,
    SigningOrder,
)
from application.schemas.session_create import Name, SessionSettings
from application.schemas.session_settings import SessionDefaults
from domain.session.recipients import Delivery
from domain.shared.limits import MAX_RECIPIENTS
from domain.templates.variables import MAX_VALUE

EXAMPLE: JsonDict = {
    "templateId": "2c5ea4c0-4067-4c3b-9f5d-2f3f4c1d8a10",
    "name": "Lease of Ada Lovelace",
    "recipients": [{"key": "tenant", "email": "ada@example.com"}],
    "variableValues": {"tenant": "Ada Lovelace", "address": "12 Quay Street", "rent": "1,300.00"},
    "sendImmediately": True,
}


def without_defaults(example: JsonDict) -> Callable[[JsonDict], None]:
    """Returns a `json_schema_extra` that sets the example of a schema and removes the defaults of settings.

    Settings that are left out are taken from the template.
    """

    def change(schema: JsonDict) -> None:
        schema["examples"] = [example]
        members = schema["properties"]
        for name in SessionDefaults.model_fields:
            member = members[to_camel(name)] if isinstance(members, dict) else None
            if isinstance(member, dict):
                member.pop("default", None)

    return change


_DEFAULT = "Default: that of the template, with the variables filled."


class RecipientGiven(RecipientMembers):
    """Values of one recipient that the template leaves open, or replacements of its values."""

    key: RecipientKey | None = Field(None, description="Key of a recipient of the template. Default: by position.")
    name: RecipientName | None = Field(None, description=f"Full name. {_DEFAULT}", examples=["Ada Lovelace"])
    email: EmailAddress | None = Field(None, description=f"{EMAIL_RULE} {_DEFAULT}", examples=["ada@example.com"])
    signing_order: SigningOrder = Field(None, description=f"{ORDER_RULE} Default: that of the template.")
    delivery: Delivery = Field(Delivery.EMAIL, description=DELIVERY_RULE)


RecipientsGiven = Annotated[
    tuple[RecipientGiven, ...], Field(max_length=MAX_RECIPIENTS, description="Recipients to complete or replace.")
]

VariableValues = Annotated[
    dict[Annotated[str, Field(max_length=100)], JsonValue],
    Field(max_length=100, description="Values by name: texts as strings, dates as `YYYY-MM-DD`, numbers as either."),
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string", "maxLength": MAX_VALUE}, {"type": "number"}]},
            "propertyNames": {"maxLength": 100},
            "maxProperties": 100,
            "default": {},
        }
    ),
]


class SessionFromTemplate(SessionSettings):
    """A session to create from a template. Settings that are left out are taken from the template."""

    model_config = ConfigDict(json_schema_extra=without_defaults(EXAMPLE))

    template_id: Identifier = Field(description="Identifier of an active template.", examples=[EXAMPLE["templateId"]])
    name: Name | None = Field(None, description="Name of the session for display. Default: that of the template.")
    recipients: RecipientsGiven = ()
    variable_values: VariableValues = Field({})
