"""What kind of step a session waits for, and whether that step fails: for lists and counts of operators."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.session.refused_mails import recipients_of_refused_mails
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect, has_pending_effects


class WaitingCause(StrEnum):
    RUN = "run"  # the run is lost, or the workers cannot continue it
    GENERATION = "generation"
    SEAL = "seal"
    MAIL = "mail"  # also one that was refused for good
    PERSON = "person"  # who signs or approves next


_CAUSES = {
    SideEffect.INVITATION: WaitingCause.MAIL,
    SideEffect.REMINDER: WaitingCause.MAIL,
    SideEffect.NOTICE: WaitingCause.MAIL,
    SideEffect.DOCUMENT: WaitingCause.GENERATION,
    SideEffect.SEAL: WaitingCause.SEAL,
}


class StuckCount(NamedTuple):
    """Sessions that are stuck for one cause. `oldest` is when the first of those whose step is retried changed last.

    A mail that was refused for good is counted, and not retried.
    """

    sessions: int = 0
    oldest: datetime | None = None

    def add(self, changed_at: datetime, *, is_retried: bool) -> "StuckCount":
        times = [at for at in (self.oldest, changed_at if is_retried else None) if at]
        return StuckCount(self.sessions + 1, min(times, default=None))


def waiting_cause(
    session: Session, retries: Sequence[RetryStatus], *, has_failing_run: bool
) -> tuple[WaitingCause, bool]:
    """Returns what the session waits for, and whether that fails or has failed: the session is stuck."""
    if has_failing_run or session.stopped_at is not None:
        return WaitingCause.RUN, True
    if retries:
        worst = max(retries, key=lambda retry: retry.failed)
        return _CAUSES[worst.effect], True
    if recipients_of_refused_mails(session):
        return WaitingCause.MAIL, True
    if session.needs_documents:
        return WaitingCause.GENERATION, False
    if session.due_seals:
        return WaitingCause.SEAL, False
    return (WaitingCause.MAIL if has_pending_effects(session) else WaitingCause.PERSON), False
