"""What came of a callback: its tries, when the next one is, and when to give up (contract 11)."""

from datetime import datetime, timedelta

from domain.callbacks import CallbackStatus
from domain.ids import EventId, OrganisationId, SessionId
from domain.models import Value

GONE = 410
"""With this status code a receiver says that it wants the callback no more."""

LONGEST_WAIT = timedelta(hours=24)
"""A `Retry-After` that asks for more is taken for this."""

DEAD_AFTER = timedelta(days=3)
"""A receiver that has failed for so long, without one success, is paused."""

FORGIVEN_AFTER = timedelta(days=3)
"""Failures with so long between them are not one long failure; longer than the longest wait between two tries."""


class Delivery(Value):
    """Which callback is to be delivered.

    `was_asked_for`: somebody wants a try now, paused or not. `is_failing`: the last try of its receiver failed.
    """

    organisation_id: OrganisationId
    session_id: SessionId
    event_id: EventId
    receiver: str
    was_asked_for: bool = False
    is_failing: bool = False


class Pause(Value):
    """A receiver that was dead and is left alone since `at`, until somebody resumes it."""

    organisation_id: OrganisationId
    receiver: str
    at: datetime


class Attempt(Value):
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
        if self.succeeded or self.status_code == GONE or planned is None:
            return None
        return max(planned, min(self.retry_after or planned, LONGEST_WAIT))


class LoggedCallback(Value):
    """A callback as the log of deliveries shows it. `paused_since`: its receiver was dead and is not tried."""

    event_id: EventId
    type: str
    receiver: str
    status: CallbackStatus
    attempts: tuple[Attempt, ...]
    next_attempt_at: datetime | None
    paused_since: datetime | None
