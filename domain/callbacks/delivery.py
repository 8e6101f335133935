"""What came of a callback: its tries, when the next one is, and when to give up (Specification 6.3)."""

from datetime import datetime, timedelta

from domain.callbacks.callback import CallbackStatus
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import EventId, OrganisationId, SessionId

HTTP_GONE = 410
"""With this status code a receiver says that it wants the callback no more."""

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
"""The waits between the ten tries, as Standard Webhooks proposes them. In all a little over three days."""

MAX_JITTER = 0.1
"""The part by which a wait is lengthened at most, so that those who failed together do not come back together."""

MAX_RETRY_AFTER = timedelta(hours=24)
"""A `Retry-After` that asks for more is taken for this."""

PAUSE_AFTER = timedelta(days=3)
"""A receiver that has failed for so long, without one success, is paused."""

FAILURE_GAP = timedelta(days=3)
"""Failures with so long between them are not one long failure; longer than the longest wait between two tries."""


def planned_wait(tries: int, lengthening: float) -> timedelta | None:
    """The wait after that many tries, lengthened by a part (0 to 1) of `MAX_JITTER`; None after the last try."""
    return RETRY_WAITS[tries - 1] * (1 + MAX_JITTER * lengthening) if tries <= len(RETRY_WAITS) else None


class Delivery(FrozenModel):
    """Which callback is to be delivered, and its type.

    `was_asked_for`: somebody wants a try now, paused or not, and the schedule from its beginning.
    `is_failing`: the last try of its receiver failed.
    """

    organisation_id: OrganisationId
    session_id: SessionId
    event_id: EventId
    type: str
    receiver: str
    was_asked_for: bool = False
    is_failing: bool = False


class ReceiverPause(FrozenModel):
    """A receiver that was dead and is left alone since `at`, until somebody resumes it."""

    organisation_id: OrganisationId
    receiver: str
    at: datetime


class Attempt(FrozenModel):
    """One try. `status_code` is None when no answer came; `error` says why it was no success, None when it was.

    `duration_ms` is in milliseconds; `retry_after` is what the receiver asked for.
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
        """How long to wait for the next try, when `planned` is what the schedule says; None when there is none."""
        if self.succeeded or self.status_code == HTTP_GONE or planned is None:
            return None
        return max(planned, min(self.retry_after or planned, MAX_RETRY_AFTER))


class CallbackLogEntry(FrozenModel):
    """A callback as the log of deliveries shows it.

    `paused_since`: its receiver was dead and is not tried. `is_first_try`: its first try is under way, or about to be.
    """

    event_id: EventId
    type: str
    receiver: str
    status: CallbackStatus
    attempts: tuple[Attempt, ...]
    next_attempt_at: datetime | None
    paused_since: datetime | None
    is_first_try: bool = False
