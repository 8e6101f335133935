"""Periodic tasks of a worker: start overdue runs, find sessions without a run, and delete unused uploads.

Their state is in the database, so several workers may run them at the same time.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import structlog

from activities.count_stuck_sessions import StuckSessions
from domain.batches.batch import Batch
from domain.ports.batches import Batches, BatchRuns
from domain.ports.database import SETTLED_AFTER, DatabaseUnavailable, SessionRows, Tombstone
from domain.ports.object_store import ObjectStore, ObjectStoreError
from domain.ports.temporal import Runs
from domain.ports.uploads import Uploads
from domain.session.session import Session
from domain.shared.ids import SessionId

log = structlog.get_logger(__name__)

T = TypeVar("T")

START_EVERY = timedelta(seconds=5)
"""Interval at which a worker queries the database for overdue runs."""

STARTS_AT_ONCE = 20

RETRY_AFTER = timedelta(seconds=10)
RETRY_WITHIN = timedelta(minutes=5)
"""Shortest and longest wait before a failed start is tried again."""

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

    An error is logged with the message `failure`, unless the call before failed for the same reason, and does not stop
    the calls. The adapter logs outages of the database.
    """
    task = asyncio.create_task(_repeat(look, every, failure))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _repeat(look: Callable[[], Awaitable[int]], every: timedelta, failure: str) -> None:
    latest = None
    while True:
        try:
            is_more, reason = bool(await look()), None
        except DatabaseUnavailable:
            is_more, reason = False, None
        except Exception as error:  # noqa: BLE001  # the next call may succeed
            is_more, reason = False, str(error) or type(error).__name__
            if reason != latest:
                log.warning(failure, error=reason)
        latest = reason
        if is_more:
            continue
        await asyncio.sleep(every.total_seconds())


class OverdueStarts:
    """Starts runs, erasures and batches that the API did not start: it crashed, or Temporal was unavailable."""

    def __init__(
        self,
        rows: SessionRows,
        runs: Runs,
        batches: Batches,
        batch_runs: BatchRuns,
        count_failure: Callable[[], object] = bool,
    ) -> None:
        """`count_failure` is called for each start that fails."""
        self._count_failure = count_failure
        self._rows = rows
        self._runs = runs
        self._batches = batches
        self._batch_runs = batch_runs

    async def start_due(self) -> int:
        """Starts overdue runs, at most `STARTS_AT_ONCE` of each kind. Returns the number of starts.

        A failed one waits, so that others come first. No kind stops another.
        """
        kinds = (self._start_sessions, self._start_erasures, self._start_batches)
        counts = await asyncio.gather(*(kind(datetime.now(UTC)) for kind in kinds), return_exceptions=True)
        for error in (count for count in counts if isinstance(count, BaseException)):
            if not isinstance(error, DatabaseUnavailable):
                log.warning("overdue runs could not be found", error=str(error) or type(error).__name__)
        return sum(count for count in counts if isinstance(count, int))

    async def _start_sessions(self, now: datetime) -> int:
        async def start(session: Session) -> None:
            await self._runs.start(session)
            await self._rows.mark_started(session)

        async def defer(session: Session) -> None:
            again = _next_try(session.updated_at, now)
            await self._rows.defer_start(session.organisation_id, session.session_id, again)

        return await self._start_all(await self._rows.to_start(now, STARTS_AT_ONCE), start, defer)

    async def _start_erasures(self, now: datetime) -> int:
        async def start(gone: Tombstone) -> None:
            await self._runs.start_erasure(gone.organisation_id, gone.session_id, gone.erased_at)
            await self._rows.mark_erasing(gone.organisation_id, gone.session_id)

        async def defer(gone: Tombstone) -> None:
            again = _next_try(gone.erased_at, now)
            await self._rows.restart_erasure(gone.organisation_id, gone.session_id, again)

        return await self._start_all(await self._rows.to_erase(now, STARTS_AT_ONCE), start, defer)

    async def _start_batches(self, now: datetime) -> int:
        async def start(batch: Batch) -> None:
            await self._batch_runs.start(batch)
            await self._batches.mark_started(batch)

        async def defer(batch: Batch) -> None:
            await self._batches.defer_start(batch, _next_try(batch.updated_at, now))

        return await self._start_all(await self._batches.to_start(now, STARTS_AT_ONCE), start, defer)

    async def _start_all(
        self, due: Sequence[T], start: Callable[[T], Awaitable[None]], defer: Callable[[T], Awaitable[None]]
    ) -> int:
        """Starts each of `due`, or defers it. Returns the number of starts."""

        async def attempt(one: T) -> bool:
            try:
                await start(one)
            except Exception as error:  # noqa: BLE001  # it is tried again, and others are not stopped
                log.warning("a run could not be started and is retried", error=str(error) or type(error).__name__)
                self._count_failure()
                await defer(one)
                return False
            return True

        return sum(await asyncio.gather(*map(attempt, due)))


def _next_try(since: datetime, now: datetime) -> datetime:
    """Returns when a start that has failed is tried again: after as long again as it has waited, within limits."""
    return now + min(max(now - since, RETRY_AFTER), RETRY_WITHIN)


FindWithoutRun = Callable[[Sequence[SessionId]], Awaitable[set[SessionId]]]


class RunSweep:
    """Marks sessions without a run as stopped, until the run is back. Passes their number to `report`.

    `stuck` counts the sessions in which a step fails.
    """

    def __init__(
        self,
        rows: SessionRows,
        find_without_run: FindWithoutRun,
        report: Callable[[float], object],
        stuck: StuckSessions,
    ) -> None:
        self._rows = rows
        self._find_without_run = find_without_run
        self._report = report
        self._stuck = stuck
        self._after = SessionId("")

    async def sweep_next(self) -> int:
        """Checks the next sessions, starting over after the last. Returns 0, so that the next call waits."""
        if not self._after:
            await self._stuck.begin()
        page, after = await self._rows.with_runs(self._after, RUNS_AT_ONCE)
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
        await self._stuck.add(settled, gone)
        if not after:
            self._stuck.end()
        self._after = after
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


async def delete_due(uploads: Uploads, objects: ObjectStore, at: datetime) -> None:
    """Deletes the objects of deleted uploads at `at`. Those that cannot be deleted are due again after an hour."""
    while due := await uploads.due(at):
        for prefix in due:
            try:
                await objects.delete_prefix(prefix)
            except ObjectStoreError as error:
                log.warning("objects could not be deleted and are deleted later", error=str(error))
                await uploads.defer(prefix, at + UPLOAD_SWEEP_EVERY)
            else:
                await uploads.mark_deleted([prefix])
