"""A fair queue for a shared process pool: each key runs one job at a time, and has its own bounded queue.

The jobs of one network address delay those of another by at most one job.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from ports.process_pool import PoolBusy, ProcessPool

P = ParamSpec("P")
R = TypeVar("R")

MAX_WAIT = 20.0
"""Maximum seconds that a job waits in its queue."""

MAX_QUEUED = 200
"""Maximum number of jobs of one key, waiting and running: a browser requests all pages of a document concurrently."""


@dataclass(slots=True)
class _Queue:
    running: asyncio.Semaphore
    length: int = 0


@dataclass(frozen=True, slots=True)
class FairQueue:
    """The non-empty queues, by key. An instance belongs to one event loop."""

    _queues: dict[str, _Queue] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, key: str, at_once: int = 1, most: int = MAX_QUEUED) -> AsyncIterator[None]:
        """Waits for one of the `at_once` slots of `key`, and holds it while the block runs.

        Raises:
            PoolBusy: `most` jobs of `key` run or wait, or no slot became free within `MAX_WAIT`.
        """
        queue = self._queues.setdefault(key, _Queue(asyncio.Semaphore(at_once)))
        if queue.length >= most:
            raise PoolBusy(f"{queue.length} jobs are queued")
        queue.length += 1
        try:
            try:
                async with asyncio.timeout(MAX_WAIT):
                    await queue.running.acquire()
            except TimeoutError as error:
                raise PoolBusy(f"no slot became free within {MAX_WAIT:.0f} seconds") from error
            try:
                yield
            finally:
                queue.running.release()
        finally:
            queue.length -= 1
            if not queue.length:
                del self._queues[key]

    def share(self, pool: ProcessPool, key: str) -> ProcessPool:
        """Returns a view of `pool` that queues its jobs under `key`."""
        return _Share(self, pool, key)


@dataclass(frozen=True, slots=True)
class _Share:
    queue: FairQueue
    pool: ProcessPool
    key: str

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        async with self.queue.turn(self.key):
            return await self.pool.run(work, *args, **kwargs)
