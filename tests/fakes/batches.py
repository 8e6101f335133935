"""Runs of batches without Temporal."""

from collections.abc import Callable
from datetime import UTC, datetime

from temporalio.testing import ActivityEnvironment

from activities.batches import BatchActivities
from activities.interface import RowSlice
from application.batches.batch_actions import TARGETS
from application.services import SessionServices
from domain.batches.batch import Batch, BatchKey, BatchProgress, BatchState
from domain.ports.batches import BatchAction, Batches
from domain.ports.temporal import NotRunning
from domain.shared.errors import Unavailable
from domain.shared.ids import BatchId


class FakeBatchRuns:
    """Implements `BatchRuns`: a run does nothing until it is told to `work`.

    While `is_away`, as when Temporal does not answer, nothing is started or done.
    """

    def __init__(self, batches: Batches, services: Callable[[], SessionServices]) -> None:
        self._batches = batches
        self._services = services
        self.started: dict[BatchId, BatchKey] = {}
        self.is_away = False

    async def start(self, batch: Batch) -> None:
        if self.is_away:
            raise Unavailable
        key = BatchKey(organisation_id=batch.organisation_id, batch_id=batch.batch_id)
        self.started.setdefault(batch.batch_id, key)

    async def act(self, batch_id: BatchId, act: BatchAction) -> BatchProgress:
        if self.is_away:
            raise Unavailable
        if batch_id not in self.started:
            raise NotRunning
        batch = await self._find(batch_id)
        batch.check_may_enter(TARGETS[act])
        return await self._enter(batch, TARGETS[act])

    async def work(self, batch_id: str, until: int | None = None) -> Batch:
        """Checks all rows, then creates the sessions before row `until`, by default all; returns the batch."""
        batch = await self._find(BatchId(batch_id))
        if batch.state is BatchState.CHECKING:
            checked = await self._run("check_rows", batch, batch.total)
            await self._enter(batch, BatchState.REFUSED if checked.issue_count else BatchState.RUNNING)
        batch = await self._find(BatchId(batch_id))
        if batch.state is BatchState.RUNNING:
            done = await self._run("create_rows", batch, batch.total if until is None else until)
            if done.done == done.total:
                await self._enter(batch, BatchState.COMPLETED)
        return await self._find(BatchId(batch_id))

    async def _run(self, activity: str, batch: Batch, until: int) -> BatchProgress:
        rows = RowSlice(organisation_id=batch.organisation_id, batch_id=batch.batch_id, until=until)
        work = getattr(BatchActivities(self._batches, self._services()), activity)
        done: BatchProgress = await ActivityEnvironment().run(work, rows)
        return done

    async def _enter(self, batch: Batch, state: BatchState) -> BatchProgress:
        changed = batch.with_state(state)
        await self._batches.record_state(changed, datetime.now(UTC))
        return changed

    async def _find(self, batch_id: BatchId) -> Batch:
        batch = await self._batches.find(self.started[batch_id])
        assert batch is not None
        return batch
