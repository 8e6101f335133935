"""A warm pool of child processes for layout, stamping and untrusted files.

PyMuPDF is not thread-safe and holds the interpreter lock, so only these processes load it.
"""

import asyncio
import importlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from types import ModuleType

import structlog

from adapters.processes.job_limits import WORKER_JOBS, JobLimits, limit_memory
from adapters.processes.seccomp import UNCONFINED, can_confine, confine
from ports.process_pool import P, PoolBusy, PoolClosed, ProcessDied, R

log = structlog.get_logger(__name__)


_CONTEXT = multiprocessing.get_context("forkserver")

TRIES = 2

LOST_SECONDS = 5.0
"""Maximum seconds that a child runs after its fork server has ended."""

_QUIET_TRACKER = "ignore:resource_tracker:UserWarning"
"""A warning filter for Python's resource tracker, which warns when it removes the semaphores of a killed parent."""

STARTING = 120.0
"""Timeout in seconds for a child to load its modules. The time limit of a job starts after that."""


class ForkServerPool:
    """Implements `ProcessPool` with processes that a fork server forks, and that end with their parent.

    This process has one fork server: a fresh Python program that imports the `warm_modules` of the first pool. The
    children share its memory and are ready at once. They import `warm_modules` that the server has not imported. Each
    child has its own executor, so a job that crashes or hangs its process does not affect other jobs. A pool is for one
    event loop.
    """

    def __init__(self, processes: int, *, limits: JobLimits = WORKER_JOBS, warm_modules: Sequence[str] = ()) -> None:
        self._limits = limits
        self._prepare = partial(_prepare_child, limits.memory, tuple(warm_modules))
        forkserver.set_forkserver_preload(list(warm_modules))
        self._children: dict[ProcessPoolExecutor, Future[int]] = {}
        """Executors, each with a future that is done when its process is ready."""
        # First in, first out, so that a new child has time to load its modules.
        self._free: asyncio.Queue[ProcessPoolExecutor] = asyncio.Queue()
        self._waiting = 0
        self._closed = False
        if not can_confine():
            log.warning("child processes are not confined", reason=UNCONFINED)
        for _ in range(processes):
            self._free.put_nowait(self._start())

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        name = f"{work.__module__}.{work.__qualname__}"
        child = await self._take()
        try:
            for _ in range(TRIES):
                if self._closed:
                    raise PoolClosed(f"the pool was closed before {name} completed")
                try:
                    await _limited(self._children[child], STARTING)
                    return await _limited(child.submit(work, *args, **kwargs), self._limits.seconds)
                except BrokenProcessPool:
                    child = self._replace(child)
                except (_OutOfTime, MemoryError) as error:
                    child = self._replace(child)
                    raise ProcessDied(f"{name} exceeded its limit of time or memory") from error
                except asyncio.CancelledError:
                    child = self._replace(child)  # the process may be busy for long, and no caller waits for it
                    raise
        finally:
            self._free.put_nowait(child)
        raise ProcessDied(f"{name} ended its process {TRIES} times")

    async def _take(self) -> ProcessPoolExecutor:
        """Waits for a free process. Raises `PoolBusy`."""
        most, patience = self._limits.waiting, self._limits.patience
        if most is not None and self._free.empty() and self._waiting >= most:
            raise PoolBusy(f"{self._waiting} jobs are waiting")
        self._waiting += 1
        try:
            async with asyncio.timeout(patience):
                return await self._free.get()
        except TimeoutError as error:
            raise PoolBusy(f"no process was free within {patience} seconds") from error
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Kills the processes and cancels their work."""
        self._closed = True
        for child in self._children:
            _kill(child)
        await asyncio.gather(*(asyncio.to_thread(child.shutdown) for child in self._children))

    def _start(self) -> ProcessPoolExecutor:
        if _QUIET_TRACKER not in sys.warnoptions:  # the tracker's process inherits them
            sys.warnoptions.append(_QUIET_TRACKER)
        while True:
            child = ProcessPoolExecutor(1, mp_context=_CONTEXT, initializer=self._prepare)
            # These errors mean that the fork server was just killed.
            with _blocked_signals(), _no_main_module(), suppress(ConnectionError, EOFError):
                self._children[child] = child.submit(os.getpid)  # any job: it completes after the initializer
                return child

    def _replace(self, child: ProcessPoolExecutor) -> ProcessPoolExecutor:
        """Returns a new child for one that died or hangs; after the pool is closed, the old one."""
        if self._closed:
            return child
        del self._children[child]
        _kill(child)
        child.shutdown(wait=False)
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


def _kill(child: ProcessPoolExecutor) -> None:
    # Before Python 3.14 an executor cannot end a process that hangs.
    for process in list((child._processes or {}).values()):  # noqa: SLF001  # see above
        process.kill()


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Blocks SIGINT and SIGTERM, also in a fork server that is started meanwhile, and so in its children.

    Terminals and supervisors signal the whole process group; the parent ends its children.
    """
    resource_tracker.ensure_running()  # the fork server starts it too, and would unblock the signals
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Hides the program from `multiprocessing`, whose new children would import all of it again."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _prepare_child(memory_limit: int, warm_modules: Sequence[str]) -> None:
    confine()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logging.disable()  # warnings of libraries quote the content of files
    limit_memory(memory_limit)
    for module in warm_modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """Exits when the parent or the fork server has ended, unless native code holds the interpreter lock.

    Without the server, the parent can neither see the end of a child nor kill it.
    """
    parent, server = multiprocessing.parent_process(), os.getppid()
    if parent is not None:
        while os.getppid() == server and not wait([parent.sentinel], LOST_SECONDS):
            pass
        os._exit(1)
