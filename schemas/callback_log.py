"""The log of callbacks (Specification 4.20)."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from domain.callbacks.callback import CallbackStatus
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from schemas.base import (
    EventUuid,
    Pagination,
    ResponseModel,
    Timestamp,
)
from schemas.callback_body import CallbackType


class CallbackAttemptRead(ResponseModel):
    """One attempt. `statusCode` is null when no answer came; `error` is null when the receiver answered 2xx."""

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
    """A page of the log, oldest first."""

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
