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

    `time_limit` is in seconds for each piece of work, `memory_limit` in bytes of address space for each process.
    """

    def __init__(
        self,
        processes: int,
        *,
        time_limit: float = TIME_LIMIT,
        memory_limit: int | None = None,
        warm_modules: Sequence[str] = (),
    ) -> None:
        self._processes = processes
        self._time_limit = time_limit
        self._prepare = partial(_prepare_child, memory_limit, tuple(warm_modules))
        # No more work in the executor than it has processes, so that the time limit counts work and not waiting.
        self._free = asyncio.Semaphore(processes)
        self._executor = self._start()

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        async with self._free:
            for _ in range(TRIES):
                executor = self._executor
                try:
                    async with asyncio.timeout(self._time_limit) as limit:
                        return await asyncio.wrap_future(executor.submit(work, *args, **kwargs))
                except BrokenProcessPool:
                    self._replace(executor)
                except TimeoutError:
                    if not limit.expired():
                        raise  # the work's own
                    self._replace(executor)
        raise ProcessDied(f"{work.__module__}.{work.__qualname__} ended its process {TRIES} times")

    async def close(self) -> None:
        """Ends the processes; work under way is given up."""
        _kill(self._executor)
        await asyncio.to_thread(self._executor.shutdown)

    def _start(self) -> ProcessPoolExecutor:
        executor = ProcessPoolExecutor(
            self._processes, mp_context=multiprocessing.get_context("spawn"), initializer=self._prepare
        )
        for _ in range(self._processes):
            executor.submit(_be_ready)
        return executor

    def _replace(self, executor: ProcessPoolExecutor) -> None:
        """A new executor for one that is broken or hangs, unless somebody else has replaced it already."""
        if self._executor is executor:
            self._executor = self._start()
            _kill(executor)
            executor.shutdown(wait=False)


def _kill(executor: ProcessPoolExecutor) -> None:
    # The executor has no way of its own to end a process that hangs before Python 3.14.
    for process in list((executor._processes or {}).values()):  # noqa: SLF001  # see above
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
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _be_ready() -> None:
    """Nothing: the process that runs this has been prepared."""
