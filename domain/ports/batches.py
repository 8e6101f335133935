"""Batches of sessions, and their runs (Specification 4.29)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from domain.batches.batch import Batch, BatchKey, BatchPage, BatchProgress, FailedRow, RowIssue
from domain.session.status import SessionStatus
from domain.shared.ids import BatchId, OrganisationId, SessionId

BatchAction = Literal["pause", "resume", "cancel"]
"""The updates of a batch's run."""


class Batches(Protocol):
    """The rows of batches in the database."""

    async def add(self, batch: Batch, start_at: datetime) -> Batch:
        """Returns `batch` after storing it, or the stored one with its id. A worker starts its run at `start_at`."""

    async def find(self, key: BatchKey) -> Batch | None: ...

    async def list(self, organisation_id: OrganisationId, limit: int, offset: int) -> BatchPage:
        """Returns at most `limit` batches of the organisation from `offset` (from 0), the newest first.

        They have their counts, without issues and failures.
        """

    async def record_state(self, progress: BatchProgress, at: datetime) -> None:
        """Writes the state, unless a later revision is stored. When the batch has ended, its object becomes due."""

    async def record_checked(self, batch: Batch, checked: int, issues: Sequence[RowIssue]) -> None:
        """Marks the rows before `checked` as checked and stores their issues, unless `batch` has changed."""

    async def record_done(self, batch: Batch, failed: FailedRow | None = None) -> None:
        """Marks the next row of `batch` as done, unless it was done before."""

    async def statuses(
        self, organisation_id: OrganisationId, session_ids: Sequence[SessionId]
    ) -> dict[SessionId, SessionStatus]:
        """Returns the status of each of these sessions that exists."""

    async def to_start(self, at: datetime, limit: int) -> tuple[Batch, ...]:
        """Returns batches whose run is due at `at`. Those that cannot be read are logged, and due an hour later."""

    async def defer_start(self, key: BatchKey, at: datetime) -> None:
        """Lets a run that is still to be started wait until `at`."""

    async def mark_started(self, key: BatchKey) -> None:
        """Marks the run of the batch as started."""

    async def delete(self, key: BatchKey) -> bool:
        """Deletes the batch if it has ended. Returns whether it did."""


class BatchRuns(Protocol):
    """Runs of batches. Methods raise `Unavailable` when Temporal does not respond."""

    async def start(self, batch: Batch) -> None:
        """Starts the run of the batch from its row, unless it is running or has completed."""

    async def act(self, batch_id: BatchId, act: BatchAction) -> BatchProgress:
        """Executes the update `act` on the run. Raises `NotRunning`, `BatchEnded` or `BatchBeingChecked`."""
