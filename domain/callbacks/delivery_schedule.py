"""Retries of callbacks, and pauses of receivers that fail for days (Specification 6.3)."""

from datetime import datetime, timedelta
from typing import NamedTuple

from domain.callbacks.callback import CallbackStatus
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import EventId, OrganisationId, SessionId

HTTP_GONE = 410
"""The status code (Gone) with which a receiver refuses further attempts."""

RETRY_WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""The waits between the ten attempts, as Standard Webhooks recommends: a little over three days in all."""

MAX_JITTER = 0.1
"""Maximum jitter, as a fraction of the wait, so that failed deliveries are not all retried at once."""

MAX_RETRY_AFTER = timedelta(hours=24)
"""Maximum `Retry-After` that is respected."""

PAUSE_AFTER = timedelta(days=3)
"""Time without a successful attempt after which a failing receiver is paused."""

FAILURE_GAP = timedelta(days=3)
"""Time between two failures from which the earlier one no longer counts. It is longer than the longest wait."""


def planned_wait(tries: int, lengthening: float) -> timedelta | None:
    """Returns the wait after attempt `tries`; None after the last one. `lengthening` (0 to 1) scales `MAX_JITTER`."""
    return RETRY_WAITS[tries - 1] * (1 + MAX_JITTER * lengthening) if tries <= len(RETRY_WAITS) else None


class Delivery(FrozenModel):
    """A callback to deliver.

    `was_asked_for`: a user or client requested an immediate attempt, even if the receiver is paused, and a new
    schedule of retries. `is_failing`: the last attempt at its receiver failed.
    """

    organisation_id: OrganisationId
    session_id: SessionId
    event_id: EventId
    type: str
    receiver: str
    was_asked_for: bool = False
    is_failing: bool = False


class ReceiverFailures(NamedTuple):
    """The failures of a receiver since its last success. `paused_since` is the start of its pause, if it is paused."""

    first_at: datetime
    last_at: datetime
    paused_since: datetime | None = None

    def with_failure(self, at: datetime) -> "ReceiverFailures":
        """Returns the failures after one more. A receiver that has failed for `PAUSE_AFTER` is paused from `at`."""
        if self.paused_since is not None:
            return self
        if at - self.last_at > FAILURE_GAP:
            return ReceiverFailures(at, at)
        paused_since = at if at - self.first_at >= PAUSE_AFTER else None
        return ReceiverFailures(self.first_at, max(at, self.last_at), paused_since)


class ReceiverPause(FrozenModel):
    """The pause of a receiver, from `at` until a user resumes it."""

    organisation_id: OrganisationId
    receiver: str
    at: datetime


class Attempt(FrozenModel):
    """One attempt. `status_code` is None without a response; `error` is None for a success.

    `duration_ms` is in milliseconds; `retry_after` is the response's `Retry-After`.
    """

    at: datetime
    status_code: int | None
    error: str | None
    duration_ms: int
    retry_after: timedelta | None = None

    @property
    def succeeded(self) -> bool:
        return self.error is None

    def wait(self, planned: timedelta | None) -> timedelta | None:
        """Returns the wait until the next attempt, at least `planned`; None if there is none."""
        if self.succeeded or self.status_code == HTTP_GONE or planned is None:
            return None
        return max(planned, min(self.retry_after or planned, MAX_RETRY_AFTER))


class CallbackLogEntry(FrozenModel):
    """A callback in the log of deliveries.

    `paused_since` is set while its receiver is paused. `is_first_try`: the first attempt is running or about to start.
    """

    event_id: EventId
    type: str
    receiver: str
    status: CallbackStatus
    attempts: tuple[Attempt, ...]
    next_attempt_at: datetime | None
    paused_since: datetime | None
    is_first_try: bool = False
