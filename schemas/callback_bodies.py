"""What receivers of callbacks are sent: described for them here, written by `domain.callbacks.callback` (Specification
6.2).
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from domain.session.recipients import RecipientStatus
from domain.session.session import SessionStatus
from domain.shared.ids import RecipientId, SessionId
from schemas.base import ResponseModel, Timestamp
from schemas.values import FileValuesRead

ANNOUNCED = (
    *("session.sent", "session.completed", "session.documentsGenerated", "session.declined", "session.expired"),
    *("session.archived", "session.restored", "session.deleted"),
    *("recipient.viewed", "recipient.completed", "recipient.declined", "recipient.invitationFailed"),
)
"""The types of callbacks."""

CallbackType = Annotated[str, WithJsonSchema({"type": "string", "enum": list(ANNOUNCED)})]

EXAMPLE: JsonDict = {
    "type": "recipient.completed",
    "timestamp": "2026-06-12T10:30:00.000Z",
    "data": {
        "sessionId": "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f",
        "name": "Consulting agreement",
        "status": "inProgress",
        "previousStatus": "pending",
        "sequence": 6,
        "recipient": {
            "recipientId": "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d",
            "key": "client",
            "name": "Ada Lovelace",
            "email": "ada@example.com",
            "signingOrder": 1,
            "status": "completed",
        },
    },
}


class AnnouncedRecipient(ResponseModel):
    """The recipient whom a callback is about."""

    recipient_id: RecipientId
    key: str
    name: str
    email: str
    signing_order: int
    status: Annotated[RecipientStatus, Field(description="how far this recipient is after it")]


class AnnouncedSession(ResponseModel):
    """The session that a callback is about, as it is after what happened."""

    session_id: SessionId
    name: Annotated[str | None, Field(description="what people call it; null once it was deleted permanently")]
    status: Annotated[SessionStatus | Literal["deleted"], Field(description="the status after what happened")]
    previous_status: Annotated[SessionStatus, Field(description="the status before; the same if it did not change")]
    sequence: Annotated[
        int,
        Field(
            description="number of the event within the session, from 1; higher is later. Some are left out: not every "
            "event is announced"
        ),
    ]
    external_id: Annotated[str | None, Field(description="the `externalId` of the session, if it has one")] = None
    metadata: Annotated[dict[str, str] | None, Field(description="the `metadata` of the session, if it has any")] = None
    recipient: Annotated[
        AnnouncedRecipient | None,
        Field(description="in callbacks about a recipient only"),
    ] = None
    files: Annotated[
        tuple[FileValuesRead, ...] | None,
        Field(
            description="what the recipient entered, as Get Values shows it; in `recipient.completed` only, of a "
            "session that was made with `callbackValues`"
        ),
    ] = None


class CallbackBody(ResponseModel):
    """The body of a callback: the same bytes at every try. It never holds a signing link."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    type: CallbackType
    timestamp: Annotated[Timestamp, Field(description="when it happened")]
    data: Annotated[AnnouncedSession, Field(description="what it happened to")]
