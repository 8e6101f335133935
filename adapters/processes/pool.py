"""A warm pool of child processes for layout, stamping and untrusted files.

PyMuPDF is not thread-safe and holds the interpreter lock, so only these processes load it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import structlog

from adapters.processes.child import Child, ChildEnded
from adapters.processes.confinement import find_missing
from adapters.processes.job_limits import WORKER_JOBS, JobLimits
from domain.ports.fair_queue import FairQueue
from domain.ports.process_pool import P, PoolClosed, ProcessDied, R, job_owner

log = structlog.get_logger(__name__)


TRIES = 2

STARTING = 120.0
"""Timeout in seconds for a child to load its modules. The time limit of a job starts after that."""


class ForkServerPool:
    """Implements `ProcessPool` with processes that a fork server forks, and that end with their parent.

    This process has one fork server: a fresh Python program that imports the `warm_modules` of the first pool. The
    children share its memory and are ready at once. They import `warm_modules` that the server has not imported. A job
    that crashes or hangs its process does not affect other jobs. A pool is for one event loop.
    """

    def __init__(self, processes: int, *, limits: JobLimits = WORKER_JOBS, warm_modules: Sequence[str] = ()) -> None:
        self._limits = limits
        self._warm_modules = warm_modules
        # First in, first out, so that a new child has time to load its modules.
        self._free: deque[Child] = deque()
        self._children: set[Child] = set()
        self._queue = FairQueue(processes, limits.waiting, limits.patience)
        self._closed = False
        if missing := find_missing():
            log.warning("child processes are not fully confined", reason=" ".join(missing))
        for _ in range(processes):
            self._free.append(self._start())

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        name, owner = f"{work.__module__}.{work.__qualname__}", job_owner.get()
        seconds = self._limits.seconds_of(is_urgent=owner.is_urgent)
        ended: ChildEnded | None = None
        async with self._queue.turn(owner):
            child = self._free.popleft()
            try:
                for _ in range(TRIES):
                    if self._closed:
                        raise PoolClosed(f"the pool was closed before {name} completed")
                    try:
                        await _limited(child.ready, STARTING)
                        return await _limited(child.submit(work, *args, **kwargs), seconds)
                    except ChildEnded as error:
                        child, ended = self._replace(child), error
                    except (_OutOfTime, MemoryError) as error:
                        child = self._replace(child)
                        raise ProcessDied(f"{name} exceeded its limit of time or memory") from error
                    except asyncio.CancelledError:
                        child = self._replace(child)  # the process may be busy for long, and no caller waits for it
                        raise
            finally:
                self._free.append(child)
        raise ProcessDied(f"{name} ended its process {TRIES} times") from ended

    async def close(self) -> None:
        """Kills the processes and cancels their work."""
        self._closed = True
        for child in self._children:
            child.kill()

    def _start(self) -> Child:
        child = Child(self._limits.memory, self._warm_modules)
        self._children.add(child)
        return child

    def _replace(self, child: Child) -> Child:
        """Returns a new child for one that died or hangs; after the pool is closed, the old one."""
        if self._closed:
            return child
        self._children.remove(child)
        child.kill()
        return self._start()


class _OutOfTime(Exception):
    """The job has exceeded its time limit."""


async def _limited(future: Future[R], seconds: float) -> R:
    try:
        async with asyncio.timeout(seconds) as limit:
            return await asyncio.wrap_future(future)
    except TimeoutError as error:
        if limit.expired():
            raise _OutOfTime from error
        raise  # raised by the work itself
