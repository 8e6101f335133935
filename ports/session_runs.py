"""What the API asks of the runs of sessions; `client` does it on Temporal, tests have a fake."""

from datetime import datetime
from enum import Enum, auto
from typing import Literal, Protocol

from domain.session.session import Session
from domain.session.waiting_for import Retry
from domain.shared.errors import SessionNotFound
from domain.shared.ids import OrganisationId, SessionId
from ports.session_requests import ActionRequest, ActionResult

Act = Literal["view", "sign", "decline", "invite", "archive", "restore", "record_download"]
"""The updates of a run."""


class RunState(Enum):
    """What Temporal knows of a session's run."""

    RUNNING = auto()
    ENDED = auto()  # it returned, as it had nothing left to do
    STOPPED = auto()  # terminated, timed out or failed
    MISSING = auto()


class NotRunning(SessionNotFound):
    """The session has no run, or its run has ended."""


class Runs(Protocol):
    """The runs of sessions that were sent.

    Every method but `retries` raises `Unavailable` when Temporal does not answer in time.
    """

    async def start(self, session: Session) -> bool:
        """Starts the run of a session that was sent. Returns false if it was started before."""
        ...

    async def act(
        self, session_id: SessionId, act: Act, request: ActionRequest, update_id: str | None = None
    ) -> ActionResult:
        """Has the run take a step. The same `update_id` is answered again, and the step is not taken again.

        Raises:
            NotRunning: there is no such run.
            SigningError: the session refuses the act.
        """
        ...

    async def retries(self, session_id: SessionId) -> tuple[Retry, ...]:
        """Returns what is being tried again for the session; nothing if that cannot be learned within 2 s."""
        ...

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        """Starts the erasure of a session whose rows are deleted. A second time has no effect."""
        ...

    async def check(self) -> None:
        """Returns if Temporal answers."""
        ...
