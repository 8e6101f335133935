"""Starts session runs and sends them updates."""

from datetime import datetime
from enum import Enum, auto
from typing import Literal, Protocol

from domain.session.session import Session
from domain.session.waiting_for import RetryStatus
from domain.shared.errors import SessionNotFound
from domain.shared.ids import OrganisationId, SessionId
from ports.session_requests import ActionRequest, ActionResult

SessionAction = Literal["view", "sign", "decline", "invite", "archive", "restore", "record_download"]
"""The updates of a run."""


class RunState(Enum):
    """The state of a session's run in Temporal."""

    RUNNING = auto()
    ENDED = auto()  # it completed
    STOPPED = auto()  # terminated, timed out or failed
    MISSING = auto()


class NotRunning(SessionNotFound):
    """The session has no run, or its run has ended."""


class Runs(Protocol):
    """The runs of sessions that were sent.

    Every method but `retries` raises `Unavailable` when Temporal does not answer in time.
    """

    async def start(self, session: Session) -> bool:
        """Starts the run of a sent session. Returns false if it was started before."""

    async def act(
        self, session_id: SessionId, act: SessionAction, request: ActionRequest, update_id: str | None = None
    ) -> ActionResult:
        """Executes an update on the run. The same `update_id` is executed once and returns the same result.

        Raises:
            NotRunning: there is no such run.
            SigningError: the session refuses the action.
        """

    async def retries(self, session_id: SessionId) -> tuple[RetryStatus, ...]:
        """Returns the side effects that are being retried; empty if Temporal does not answer within 2 s."""

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        """Starts the erasure of a session whose rows are deleted. A second call has no effect."""

    async def check(self) -> None:
        """Returns if Temporal answers."""
