"""The history of a session, and the feed of all events (Specification 4.21, 6.1)."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from application.schemas.base import SHA256_EXAMPLE, EventUuid, Pagination, ResponseModel, SessionUuid, Timestamp
from domain.audit.events import ActorKind, Event, EventType, FeedEvent, FeedPosition
from domain.callbacks.callback import event_id
from domain.session.labels import EXTERNAL_ID, metadata_of

_POSITION = re.compile(r"([0-9]{1,18}):([0-9a-f]{0,16})")


def cursor_of(position: FeedPosition) -> str:
    """Returns the cursor of the page that follows `position`."""
    return urlsafe_b64encode(f"{position.number}:{position.mark}".encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> FeedPosition:
    """Returns the position of a cursor. Raises `PydanticCustomError`."""
    try:
        text = cursor.encode("ascii")
        match = _POSITION.fullmatch(urlsafe_b64decode(text + b"=" * (-len(text) % 4)).decode("ascii"))
    except ValueError:
        match = None
    position = FeedPosition(int(match[1]), match[2]) if match else None
    if position is None or cursor_of(position) != cursor:
        raise PydanticCustomError("cursor", "Give the cursor of an earlier answer as it was, or none.")
    return position


def _check(cursor: str) -> str:
    parse_cursor(cursor)
    return cursor


Cursor = Annotated[str, AfterValidator(_check), WithJsonSchema({"type": "string", "maxLength": 50})]
"""The start of a page of the feed."""


class ActorRead(ResponseModel):
    """The actor of an event."""

    kind: ActorKind = Field(description="Kind of the actor.")
    id: str = Field(description="Unique identifier of the actor.", examples=["5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"])


class EventRead(ResponseModel):
    """One event. `hash` is the SHA-256 of the canonical JSON (RFC 8785) of all the other members."""

    sequence: int = Field(description="Number of the event within the session, from 1.", examples=[1])
    at: Timestamp = Field(description="Time of the event.")
    type: EventType = Field(description="Type of the event.")
    actor: ActorRead = Field(description="Actor of the event.")
    ip: str | None = Field(description="IP address of the request.", examples=["192.0.2.7"])
    user_agent: str | None = Field(description="`User-Agent` of the request.")
    details: dict[str, str | int | None] = Field(description="Details of the event, by name.")
    previous_hash: str = Field(description="`hash` of the previous event; 64 zeros for the first event.")
    hash: str = Field(
        description="SHA-256 of the canonical JSON of all the other members, including `previousHash`, in hexadecimal.",
        examples=[SHA256_EXAMPLE],
    )


class EventsRead(ResponseModel):
    """A page of the history of a session, oldest first."""

    events: tuple[EventRead, ...] = Field(description="Events of the page, oldest first.")
    pagination: Pagination = Field(description="Position of the page in the history.")

    @classmethod
    def page(cls, history: Sequence[Event], limit: int, offset: int) -> Self:
        """Returns at most `limit` events from `offset` (from 0) on."""
        shown = history[offset : offset + limit]
        return cls(
            events=tuple(EventRead.model_validate(event, from_attributes=True) for event in shown),
            pagination=Pagination.of(len(history), limit, offset),
        )


class FeedEventRead(EventRead):
    """One event of the feed. `hash` covers the members that List Events returns."""

    event_id: EventUuid
    session_id: SessionUuid
    external_id: str | None = Field(description="`externalId` of the session.")
    metadata: dict[str, str] = Field(description="`metadata` of the session.")


class FeedRead(ResponseModel):
    """A page of the feed, oldest first. `cursor` is the start of the next page, which may still be empty."""

    events: tuple[FeedEventRead, ...] = Field(description="Events of the page, oldest first.")
    cursor: str = Field(description="Start of the next page, valid now and later.", examples=["NDI6OWYyYzRhN2JkMTBl"])
    has_more: bool = Field(description="Whether events follow this page already.", examples=[False])

    @classmethod
    def page(cls, events: Sequence[FeedEvent], limit: int, after: FeedPosition) -> Self:
        """Returns the first `limit` of `events`, which follow the position `after`."""
        shown = events[:limit]
        return cls(
            events=tuple(map(_event, shown)),
            cursor=cursor_of(shown[-1].position if shown else after),
            has_more=len(events) > limit,
        )


def _event(event: FeedEvent) -> FeedEventRead:
    read = EventRead.model_validate(event.event, from_attributes=True)
    return FeedEventRead(
        **dict(read),
        event_id=event_id(event.session_id, event.event.hash),
        session_id=event.session_id,
        external_id=event.labels.get(EXTERNAL_ID),
        metadata=metadata_of(event.labels),
    )
