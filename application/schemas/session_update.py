"""Requests that change a session and its recipients, and the response to a reminder (Specification 4.23 to 4.25)."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from application.schemas.base import (
    EMAIL_RULE,
    EmailAddress,
    RecipientUuid,
    RequestModel,
    ResponseModel,
    SessionUuid,
    Timestamp,
)
from application.schemas.recipient_members import RecipientName
from application.schemas.session_create import METADATA_RULE, Metadata, Name, Recipients
from application.schemas.session_settings import SessionDefaults
from domain.session.session import Session
from domain.shared.ids import RecipientId

EXAMPLE: JsonDict = {
    "name": "Consulting agreement, revised",
    "recipients": [{"key": "client", "name": "Ada King", "email": "ada@example.com"}],
    "expiryDays": 60,
}

SCHEDULE = frozenset({"expiry_days", "reminder_enabled", "reminder_frequency"})
"""The members that can be changed while a session is open for signing."""


def _without_defaults(schema: JsonDict) -> None:
    """Removes the defaults: members that are left out stay as they are."""
    schema["examples"] = [EXAMPLE]
    members = schema["properties"]
    for member in members.values() if isinstance(members, dict) else ():
        if isinstance(member, dict):
            member.pop("default", None)


class SessionUpdate(SessionDefaults):
    """Changes of a session. Members that are left out stay as they are."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    elsewhere: ClassVar = {
        "files": "the documents of a session cannot be changed. Create another session with others.",
        "status": "operations change it: Send, Delete, which archives too, and Restore.",
        "sendImmediately": "use Send Session.",
    }

    name: Name = Field("", description="Name of the session for display.")
    recipients: Annotated[
        Recipients,
        Field(description="All recipients. A recipient whose key stays the same keeps their `recipientId`."),
    ] = ()
    metadata: Metadata = Field({}, description=f"All metadata. {METADATA_RULE}")


class RecipientUpdate(RequestModel):
    """The corrected name and address of a recipient. Members that are left out stay as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"email": "ada@example.com"}]})

    name: RecipientName | None = Field(None, description="Full name.", examples=["Ada Lovelace"])
    email: EmailAddress | None = Field(None, description=EMAIL_RULE, examples=["ada@example.com"])


class ReminderSent(ResponseModel):
    """The response to a reminder. The mail is being sent, with the link of the latest invitation."""

    success: Literal[True] = Field(True, description="Always true.")
    session_id: SessionUuid
    recipient_id: RecipientUuid
    recipient_email: str = Field(description="Email address of the recipient.", examples=["ada@example.com"])
    reminded_at: Timestamp | None = Field(description="Time of the reminder.", examples=["2026-06-12T10:30:00.000Z"])

    @classmethod
    def from_snapshot(cls, session: Session, recipient_id: RecipientId) -> Self:
        recipient = session.recipient(recipient_id)
        members = {"recipient_email": recipient.email, "reminded_at": recipient.reminded_at}
        return cls.model_validate({"session_id": session.session_id, "recipient_id": recipient_id, **members})
