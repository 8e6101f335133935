"""Checks and creates the rows of a batch, and records its state."""

from dataclasses import dataclass
from datetime import UTC, datetime

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import RowSlice
from application.batches.content import BatchContent
from application.batches.create_rows import create_row, find_row_issues
from application.off_loop import off_loop
from application.services import SessionServices
from domain.batches.batch import Batch, BatchKey, BatchProgress, BatchState
from domain.ports.batches import Batches
from domain.ports.process_pool import lower_priority, run_jobs_for


@dataclass(frozen=True, slots=True)
class BatchActivities:
    """Checks rows slice by slice, and creates sessions row by row.

    A created row is recorded, and the state of the batch read again, before the next one begins.
    """

    batches: Batches
    services: SessionServices

    @activity.defn
    async def check_rows(self, rows: RowSlice) -> BatchProgress:
        _own_jobs(rows)
        async with heartbeats():
            batch = await self._find(rows)
            content = await self._content(batch)
            issues = [
                issue
                for row in range(batch.checked, rows.until)
                for issue in await find_row_issues(self.services, content, row)
            ]
            await self.batches.record_checked(batch, max(rows.until, batch.checked), issues)
        return (await self._find(rows)).progress()

    @activity.defn
    async def create_rows(self, rows: RowSlice) -> BatchProgress:
        """Creates sessions; ends after the current row when the batch is paused or cancelled."""
        _own_jobs(rows)
        async with heartbeats():
            batch = await self._find(rows)
            content = await self._content(batch)
            while batch.done < rows.until and batch.state is BatchState.RUNNING:
                failed = await create_row(self.services, batch, content, batch.done)
                await self.batches.record_done(batch, failed)
                batch = await self._find(rows)
        return batch.progress()

    @activity.defn
    async def record_batch(self, progress: BatchProgress) -> None:
        await self.batches.record_state(progress, datetime.now(UTC))

    async def _find(self, key: BatchKey) -> Batch:
        batch = await self.batches.find(key)
        if batch is None:  # as after the restore of an older database
            raise ApplicationError("the batch is not in the database", type="BatchMissing")
        return batch

    async def _content(self, batch: Batch) -> BatchContent:
        content = await self.services.objects.get(batch.content)
        return await off_loop(len(content), lambda: BatchContent.parse(content))


def _own_jobs(key: BatchKey) -> None:
    """Lets seals come before the rows of batches."""
    run_jobs_for(key.organisation_id)
    lower_priority()
