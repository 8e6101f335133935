"""The history of a session (Specification 6.1)."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field

from domain.audit.events import ActorKind, Event, EventType
from schemas.base import ResponseModel, Timestamp
from schemas.pagination import Pagination


class ActorRead(ResponseModel):
    kind: ActorKind
    id: str


class EventRead(ResponseModel):
    """One event. `hash` is the SHA-256 of the canonical JSON (RFC 8785) of all the other members."""

    sequence: int
    at: Timestamp
    type: EventType
    actor: ActorRead
    ip: str | None
    user_agent: str | None
    details: dict[str, str | int | None]
    previous_hash: Annotated[str, Field(description="the hash of the event before; 64 zeros in the first one")]
    hash: str


class EventsRead(ResponseModel):
    """A stretch of the history, oldest first."""

    events: tuple[EventRead, ...]
    pagination: Pagination

    @classmethod
    def page(cls, history: Sequence[Event], limit: int, offset: int) -> Self:
        """At most `limit` events from the one at `offset` (from 0) on."""
        shown = history[offset : offset + limit]
        return cls(
            events=tuple(EventRead.model_validate(event, from_attributes=True) for event in shown),
            pagination=Pagination(
                total=len(history), limit=limit, offset=offset, has_more=offset + len(shown) < len(history)
            ),
        )
