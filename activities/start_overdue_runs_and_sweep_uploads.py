"""Periodic tasks of a worker: start overdue runs, find sessions without a run, and delete unused uploads.

Their state is in the database, so several workers may run them at the same time.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from domain.batches.batch import Batch
from domain.session.session import Session
from domain.shared.ids import SessionId
from ports.batches import Batches, BatchRuns
from ports.database import SETTLED_AFTER, SessionRows, Tombstone
from ports.object_store import ObjectStore
from ports.temporal import Runs
from ports.uploads import Uploads

log = structlog.get_logger(__name__)

START_EVERY = timedelta(seconds=5)
"""Interval at which a worker queries the database for overdue runs."""

STARTS_AT_ONCE = 20

RUN_SWEEP_EVERY = timedelta(seconds=10)
"""Interval at which a worker checks the next `RUNS_AT_ONCE` sessions."""

RUNS_AT_ONCE = 200

UNUSED_FOR = timedelta(days=30)
"""Time for which an unused upload is kept after its latest upload."""

MADE_WITHIN = timedelta(days=1)
"""Age from which a use counts as abandoned if its session or template does not exist."""

UPLOAD_SWEEP_EVERY = timedelta(hours=1)


@asynccontextmanager
async def run_periodically(look: Callable[[], Awaitable[int]], every: timedelta, failure: str) -> AsyncIterator[None]:
    """Calls `look` repeatedly for the duration of the block: after `every` if it returns 0, otherwise at once.

    An error is logged with the message `failure`, and does not stop the calls.
    """
    task = asyncio.create_task(_repeat(look, every, failure))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _repeat(look: Callable[[], Awaitable[int]], every: timedelta, failure: str) -> None:
    while True:
        try:
            if await look():
                continue
        except Exception as error:  # noqa: BLE001  # the next call may succeed
            log.warning(failure, error=str(error) or type(error).__name__)
        await asyncio.sleep(every.total_seconds())


class OverdueStarts:
    """Starts runs, erasures and batches that the API did not start: it crashed, or Temporal was unavailable."""

    def __init__(self, rows: SessionRows, runs: Runs, batches: Batches, batch_runs: BatchRuns) -> None:
        self._rows = rows
        self._runs = runs
        self._batches = batches
        self._batch_runs = batch_runs

    async def start_due(self) -> int:
        """Starts overdue runs, at most `STARTS_AT_ONCE` of each kind. Returns the number of starts."""
        now = datetime.now(UTC)
        starts = [self._start(session) for session in await self._rows.to_start(now, STARTS_AT_ONCE)]
        starts += [self._erase(tombstone) for tombstone in await self._rows.to_erase(now, STARTS_AT_ONCE)]
        starts += [self._start_batch(batch) for batch in await self._batches.to_start(now, STARTS_AT_ONCE)]
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
        for error in filter(None, outcomes):
            log.warning("a run could not be started and is retried", error=str(error) or type(error).__name__)
        return outcomes.count(None)

    async def _start(self, session: Session) -> None:
        await self._runs.start(session)
        await self._rows.mark_started(session)

    async def _erase(self, tombstone: Tombstone) -> None:
        key = (tombstone.organisation_id, tombstone.session_id)
        await self._runs.start_erasure(*key, tombstone.erased_at)
        await self._rows.mark_erasing(*key)

    async def _start_batch(self, batch: Batch) -> None:
        await self._batch_runs.start(batch)
        await self._batches.mark_started(batch)


FindWithoutRun = Callable[[Sequence[SessionId]], Awaitable[set[SessionId]]]


class RunSweep:
    """Marks sessions without a run as stopped, until the run is back. Passes their number to `report`."""

    def __init__(self, rows: SessionRows, find_without_run: FindWithoutRun, report: Callable[[float], object]) -> None:
        self._rows = rows
        self._find_without_run = find_without_run
        self._report = report
        self._after = SessionId("")

    async def sweep_next(self) -> int:
        """Checks the next sessions, starting over after the last. Returns 0, so that the next call waits."""
        page = await self._rows.with_runs(self._after, RUNS_AT_ONCE)
        now = datetime.now(UTC)
        settled = [session for session in page if session.updated_at < now - SETTLED_AFTER]
        gone = await self._find_without_run([session.session_id for session in settled])
        for session in settled:
            is_gone = session.session_id in gone
            if is_gone and session.stopped_at is None:
                log.error("a session has no run; `undersign repair` starts it again", session_id=session.session_id)
            if is_gone is (session.stopped_at is None):
                await self._rows.mark_stopped(session, now if is_gone else None)
        self._report(await self._rows.count_stopped())
        self._after = page[-1].session_id if len(page) == RUNS_AT_ONCE else SessionId("")
        return 0


@dataclass(frozen=True, slots=True)
class UploadSweep:
    """Deletes unused uploads and the objects of deleted ones."""

    uploads: Uploads
    objects: ObjectStore

    async def sweep(self, at: datetime) -> int:
        """Deletes unused uploads, and the objects that are due at `at`. Returns the number of unused uploads."""
        unused = await self.uploads.expire(at - UNUSED_FOR, at - MADE_WITHIN, at)
        await delete_due(self.uploads, self.objects, at)
        if unused:
            log.info("deleted unused uploads", uploads=unused)
        return unused

    async def sweep_now(self) -> int:
        return await self.sweep(datetime.now(UTC))


async def delete_due(uploads: Uploads, objects: ObjectStore, at: datetime) -> int:
    """Deletes the objects of deleted uploads at `at`. Returns the number of objects."""
    count = 0
    while due := await uploads.due(at):
        for prefix in due:
            count += await objects.delete_prefix(prefix)
        await uploads.mark_deleted(due)
    return count
