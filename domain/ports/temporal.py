"""Temporal: runs of sessions, histories, task queues and payloads."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.ports.session_requests import ActionResult, SessionCommand
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus
from domain.shared.errors import SessionNotFound, Unavailable
from domain.shared.ids import OrganisationId, SessionId


class WorkflowHistories(Protocol):
    """Deletes histories of workflows."""

    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        """Requests the deletion of all runs of these workflows, running ones too. Returns the runs that still exist.

        For runs in `asked` (run ids), deletion was requested before and is not requested again: it takes a moment.
        """


@dataclass(frozen=True, slots=True)
class PollerStatus:
    """The workers that polled a queue for activities in the last five minutes.

    `workers` counts those that get tasks: of the current version of the worker deployment (`current`), or without a
    version if none is current. `others` counts the rest. `last` is when one of `workers` last polled. A worker that
    last polled more than 90 seconds before another one is not counted.
    """

    workers: int
    last: datetime | None = None
    others: int = 0
    current: str | None = None

    @property
    def problem(self) -> str | None:
        """The reason why the queue is not served, with what to do; None if it is served."""
        if self.workers:
            return None
        if not self.others:
            return "No worker polls this queue: start one (python -m worker), or check its log."
        version = f"version {self.current}" if self.current else "no version, as none is current"
        return (
            f"{self.others} workers poll this queue and get no tasks, as Temporal gives them to workers of {version}. "
            "Start such workers, or run `temporal worker deployment set-current-version` (--unversioned for workers "
            "without a version)."
        )


class TaskQueues(Protocol):
    """The task queues of a namespace, and the runs that their workers cannot continue."""

    async def poller_status(self, queue: str) -> PollerStatus:
        """Returns the workers that poll `queue`. Raises `Unavailable` when Temporal does not respond."""

    async def failing_runs(self, limit: int) -> list[str]:
        """Returns the ids of at most `limit` runs whose workflow tasks fail. Raises `Unavailable`."""


class PlainPayload(NamedTuple):
    """A payload, without types of the Temporal SDK."""

    metadata: Mapping[str, bytes]
    data: bytes


class PayloadCodec(Protocol):
    """Decrypts payloads of Temporal."""

    async def decrypt(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """Returns the decrypted payloads. Those that are not encrypted or cannot be decrypted stay as they are."""


class RunState(Enum):
    """The state of a session's run in Temporal."""

    RUNNING = auto()
    ENDED = auto()  # it completed
    STOPPED = auto()  # terminated, timed out or failed
    MISSING = auto()


class HistoryUnreadable(Unavailable):
    """The history of a run cannot be decrypted with the payload keys of this process. The message says why."""


class NotRunning(SessionNotFound):
    """The session has no run, or its run has ended."""


class Runs(Protocol):
    """Runs of sent sessions. Methods raise `Unavailable` when Temporal does not respond, except `retries`."""

    async def start(self, session: Session) -> bool:
        """Starts the run of a sent session. Returns false if it was started before."""

    async def act(self, session_id: SessionId, command: SessionCommand, update_id: str | None = None) -> ActionResult:
        """Executes an update on the run, once per `update_id`. Raises `NotRunning` or `SigningError`."""

    async def retries(self, session_id: SessionId) -> tuple[RetryStatus, ...]:
        """Returns the side effects that are being retried; empty if Temporal does not respond within 2 s."""

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        """Starts the erasure of a session whose rows are deleted. A second call has no effect."""

    async def check(self) -> None:
        """Raises `Unavailable` unless Temporal responds."""
