"""The log of callbacks, and the feed of events (Specification 4.20, 4.21)."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from domain.audit.events import FeedEvent, FeedPosition
from domain.callbacks.callback import CallbackStatus, event_id
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from domain.session.labels import EXTERNAL_ID, metadata_of
from schemas.base import ResponseModel, Timestamp
from schemas.callback_bodies import CallbackType
from schemas.events import EventRead
from schemas.pagination import Pagination


class CallbackAttemptRead(ResponseModel):
    """One attempt. `statusCode` is null when no answer came; `error` is null when the receiver answered 2xx."""

    at: Timestamp
    status_code: int | None
    error: str | None
    duration_ms: int


class CallbackRead(ResponseModel):
    """One callback. `eventId` is its `webhook-id`, the same at every attempt."""

    event_id: str
    type: CallbackType
    status: CallbackStatus
    attempts: tuple[CallbackAttemptRead, ...]
    next_attempt_at: Timestamp | None
    paused_since: Timestamp | None


class CallbacksRead(ResponseModel):
    """A page of the log, oldest first."""

    callbacks: tuple[CallbackRead, ...]
    pagination: Pagination

    @classmethod
    def page(cls, log: Sequence[CallbackLogEntry], limit: int, offset: int) -> Self:
        """Returns at most `limit` callbacks from `offset` (from 0) on."""
        shown = log[offset : offset + limit]
        return cls(
            callbacks=tuple(CallbackRead.model_validate(callback, from_attributes=True) for callback in shown),
            pagination=Pagination(total=len(log), limit=limit, offset=offset, has_more=offset + len(shown) < len(log)),
        )


class FeedEventRead(EventRead):
    """One event of the feed. Its hash covers the members that the history of its session shows."""

    event_id: str
    session_id: str
    external_id: Annotated[str | None, Field(description="the `externalId` of the session")]
    metadata: Annotated[dict[str, str], Field(description="the `metadata` of the session")]


class FeedRead(ResponseModel):
    """A page of the feed, oldest first. `cursor` is the start of the next page, even if that is still empty."""

    events: tuple[FeedEventRead, ...]
    cursor: str
    has_more: bool

    @classmethod
    def page(cls, found: Sequence[FeedEvent], limit: int, after: FeedPosition) -> Self:
        """Returns the first `limit` of the events `found` after the position `after`."""
        shown = found[:limit]
        return cls(
            events=tuple(map(_event, shown)),
            cursor=_cursor(shown[-1].position if shown else after),
            has_more=len(found) > limit,
        )


def _event(found: FeedEvent) -> FeedEventRead:
    read = EventRead.model_validate(found.event, from_attributes=True)
    return FeedEventRead(
        **dict(read),
        event_id=event_id(found.session_id, found.event.hash),
        session_id=found.session_id,
        external_id=found.labels.get(EXTERNAL_ID),
        metadata=metadata_of(found.labels),
    )


_POSITION = re.compile(r"([0-9]{1,18}):([0-9a-f]{0,16})")


def _cursor(position: FeedPosition) -> str:
    return urlsafe_b64encode(f"{position.number}:{position.mark}".encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> FeedPosition:
    """Returns the position of a cursor. Raises `PydanticCustomError`."""
    try:
        text = cursor.encode("ascii")
        found = _POSITION.fullmatch(urlsafe_b64decode(text + b"=" * (-len(text) % 4)).decode("ascii"))
    except ValueError:
        found = None
    position = FeedPosition(int(found[1]), found[2]) if found else None
    if position is None or _cursor(position) != cursor:
        raise PydanticCustomError("cursor", "Give the cursor of an earlier answer as it was, or none.")
    return position


def _check(cursor: str) -> str:
    parse_cursor(cursor)
    return cursor


Cursor = Annotated[str, AfterValidator(_check), WithJsonSchema({"type": "string", "maxLength": 50})]
"""The start of a page of the feed; opaque to clients."""
