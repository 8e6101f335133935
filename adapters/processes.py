"""A warm pool of child processes for work that must not run in the main one: layout, stamping, untrusted files.

PyMuPDF is not thread-safe and holds the interpreter lock, so it lives in these processes only.
"""

import asyncio
import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.connection import wait
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

TIME_LIMIT = 60.0
"""Seconds that one piece of work may take; a hundred pages take well under one."""

TRIES = 2


class ProcessDied(Exception):
    """The child process died, or ran out of time, twice over the same work."""


class ProcessPool(Protocol):
    """Runs module-level functions with picklable arguments in a child process."""

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of `work`; its exceptions come through.

        A child that dies is replaced and the work tried once more before `ProcessDied` is raised.
        """
        ...


class SpawnedPool:
    """Keeps `ProcessPool` with spawned processes. They import `warm_modules` at once, and end with their parent.

    Each process is its own executor, so that work that kills or hangs its process never costs other work its own.
    `time_limit` is in seconds for each piece of work, `memory_limit` in bytes of address space for each process.
    For one event loop.
    """

    def __init__(
        self,
        processes: int,
        *,
        time_limit: float = TIME_LIMIT,
        memory_limit: int | None = None,
        warm_modules: Sequence[str] = (),
    ) -> None:
        self._time_limit = time_limit
        self._prepare = partial(_prepare_child, memory_limit, tuple(warm_modules))
        self._children: set[ProcessPoolExecutor] = set()
        # First in, first out: a child that has just been replaced gets time to become warm.
        self._free: asyncio.Queue[ProcessPoolExecutor] = asyncio.Queue()
        self._closed = False
        for _ in range(processes):
            self._free.put_nowait(self._start())

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        name = f"{work.__module__}.{work.__qualname__}"
        child = await self._free.get()
        try:
            for _ in range(TRIES):
                if self._closed:
                    raise ProcessDied(f"the pool was closed before {name} was done")
                try:
                    return await self._within_time(child, partial(work, *args, **kwargs))
                except (BrokenProcessPool, _OutOfTime):
                    child = self._replace(child)
                except asyncio.CancelledError:
                    child = self._replace(child)  # it may be at it for long; nobody waits for it any more
                    raise
        finally:
            self._free.put_nowait(child)
        raise ProcessDied(f"{name} ended its process {TRIES} times")

    async def close(self) -> None:
        """Ends the processes; work under way is given up."""
        self._closed = True
        for child in self._children:
            _kill(child)
        await asyncio.gather(*(asyncio.to_thread(child.shutdown) for child in self._children))

    async def _within_time(self, child: ProcessPoolExecutor, work: Callable[[], R]) -> R:
        try:
            async with asyncio.timeout(self._time_limit) as limit:
                return await asyncio.wrap_future(child.submit(work))
        except TimeoutError as error:
            if limit.expired():
                raise _OutOfTime from error
            raise  # the work's own

    def _start(self) -> ProcessPoolExecutor:
        child = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=self._prepare)
        child.submit(_be_ready)
        self._children.add(child)
        return child

    def _replace(self, child: ProcessPoolExecutor) -> ProcessPoolExecutor:
        """A new child for one that is dead or does not stop; after the end of the pool, the old one."""
        if self._closed:
            return child
        self._children.remove(child)
        _kill(child)
        child.shutdown(wait=False)
        return self._start()


class _OutOfTime(Exception):
    """The time limit is over."""


def _kill(child: ProcessPoolExecutor) -> None:
    # The executor has no way of its own to end a process that hangs before Python 3.14.
    for process in list((child._processes or {}).values()):  # noqa: SLF001  # see above
        process.kill()


def _prepare_child(memory_limit: int | None, warm_modules: Sequence[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent decides what ends when
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory_limit is not None:
        import resource  # noqa: PLC0415  # Unix only, as is the limit

        resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
    for module in warm_modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """Waits for the parent's end. A child in native code that keeps the interpreter lock ends when it gives it up."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _be_ready() -> None:
    """Nothing: the process that runs this has been prepared."""
