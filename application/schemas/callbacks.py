"""The bodies of callbacks, which `domain.callbacks.callback` writes, and the log of callbacks (Specification 6.2)."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from application.schemas.base import (
    KEY_RULE,
    ORDER_RULE,
    EventUuid,
    Pagination,
    RecipientUuid,
    ResponseModel,
    SessionUuid,
    Timestamp,
)
from application.schemas.values import FileValuesRead
from domain.audit.events import EventType
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import CallbackLogEntry
from domain.session.recipients import RecipientRole, RecipientStatus
from domain.session.status import SessionStatus

_OF_SESSIONS = (
    EventType.SESSION_SENT,
    EventType.SESSION_COMPLETED,
    EventType.SESSION_DOCUMENTS_GENERATED,
    EventType.SESSION_DECLINED,
    EventType.SESSION_EXPIRED,
    EventType.SESSION_ARCHIVED,
    EventType.SESSION_RESTORED,
)
_OF_RECIPIENTS = (
    EventType.RECIPIENT_VIEWED,
    EventType.RECIPIENT_COMPLETED,
    EventType.RECIPIENT_APPROVED,
    EventType.RECIPIENT_DELEGATED,
    EventType.RECIPIENT_DECLINED,
    EventType.RECIPIENT_INVITATION_FAILED,
)

CALLBACK_TYPES = {
    **{event.value: event.meaning for event in _OF_SESSIONS},
    "session.deleted": "the session was deleted permanently and cannot be read any more",
    EventType.RECIPIENT_INVITED.value: "the turn of a recipient came after that of others",
    **{event.value: event.meaning for event in _OF_RECIPIENTS},
}
"""The types of callbacks, and what each reports."""

CallbackType = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": list(CALLBACK_TYPES)}),
    Field(
        description=" ".join(["Type of the event.", *(f"`{name}`: {text}." for name, text in CALLBACK_TYPES.items())])
    ),
]

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


def _left_out(schema: JsonDict) -> None:
    """Removes the default of a member that is never null: without a value, it is absent."""
    schema.pop("default", None)


class AnnouncedRecipient(ResponseModel):
    """The recipient of a callback's event."""

    recipient_id: RecipientUuid
    key: str = Field(description=KEY_RULE, examples=["client"])
    name: str = Field(description="Full name.", examples=["Ada Lovelace"])
    email: str = Field(description="Email address, in lower case.", examples=["ada@example.com"])
    signing_order: int = Field(description=ORDER_RULE, examples=[1])
    status: RecipientStatus = Field(description="Status of the recipient after the event.")
    role: RecipientRole | SkipJsonSchema[None] = Field(
        None,
        description="What the recipient is asked to do; left out for a signer.",
        json_schema_extra=_left_out,
    )


class AnnouncedSession(ResponseModel):
    """The session of a callback, after the event."""

    session_id: SessionUuid
    name: str | None = Field(description="Name of the session; null after permanent deletion.")
    status: SessionStatus | Literal["deleted"] = Field(description="Status after the event.")
    previous_status: SessionStatus = Field(description="Status before the event; the same if it did not change.")
    sequence: int = Field(
        description="Number of the event within the session, from 1; later events have higher numbers. Numbers are "
        "skipped, as not every event has a callback."
    )
    external_id: str | None = Field(None, description="`externalId` of the session, if it has one.")
    metadata: dict[str, str] | None = Field(None, description="`metadata` of the session, if it has any.")
    recipient: AnnouncedRecipient | SkipJsonSchema[None] = Field(
        None, description="Recipient of the event, in callbacks about a recipient.", json_schema_extra=_left_out
    )
    files: tuple[FileValuesRead, ...] | SkipJsonSchema[None] = Field(
        None,
        description="Values that the recipient entered, as in Get Values. Only in `recipient.completed` of a session "
        "that was created with `callbackValues`.",
        json_schema_extra=_left_out,
    )


class CallbackBody(ResponseModel):
    """The body of a callback: the same bytes at every attempt. It never holds a signing link."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    type: CallbackType
    timestamp: Timestamp = Field(description="Time of the event.")
    data: AnnouncedSession = Field(description="The session of the event.")


class CallbackAttemptRead(ResponseModel):
    """One attempt. `statusCode` is null without a response. `error` is null after a response with status 2xx."""

    at: Timestamp = Field(description="Start of the attempt.")
    status_code: int | None = Field(description="HTTP status of the response; null without a response.", examples=[500])
    error: str | None = Field(description="Error; null if it succeeded.", examples=["no answer within 15 s"])
    duration_ms: int = Field(description="Duration of the attempt in milliseconds.", examples=[182])


class CallbackRead(ResponseModel):
    """One callback. `eventId` is its `webhook-id`, the same at every attempt."""

    event_id: EventUuid
    type: CallbackType
    status: CallbackStatus = Field(description="Status of the delivery.")
    attempts: tuple[CallbackAttemptRead, ...] = Field(description="All attempts, oldest first.")
    next_attempt_at: Timestamp | None = Field(description="Time of the next automatic attempt; null if there is none.")
    paused_since: Timestamp | None = Field(description="Time since which the receiver is paused; null if it is not.")


class CallbacksRead(ResponseModel):
    """A page of the callback log, oldest first."""

    callbacks: tuple[CallbackRead, ...] = Field(description="Callbacks of the page, oldest first.")
    pagination: Pagination = Field(description="Position of the page in the log.")

    @classmethod
    def page(cls, log: Sequence[CallbackLogEntry], limit: int, offset: int) -> Self:
        """Returns at most `limit` callbacks from `offset` (from 0) on."""
        shown = log[offset : offset + limit]
        return cls(
            callbacks=tuple(CallbackRead.model_validate(callback, from_attributes=True) for callback in shown),
            pagination=Pagination.of(len(log), limit, offset),
        )
