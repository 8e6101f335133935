"""Runs work whose time grows with a request in threads of its own, so that the event loop serves others meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from domain.ports.fair_queue import FairQueue
from domain.ports.process_pool import job_owner

T = TypeVar("T")

LARGE = 100_000
"""Bytes of a text that is parsed or written in a few milliseconds."""

_THREADS = ThreadPoolExecutor(2, thread_name_prefix="large-work")
"""Threads apart from those that wait for files: large work never delays small reads."""

_TURNS = FairQueue(2)
"""Organisations take turns: the large requests of one never fill both threads."""


async def off_loop(size: int, work: Callable[[], T]) -> T:
    """Returns the result of `work` on `size` bytes: in a thread if they are many, with the context of the caller."""
    if size <= LARGE:
        return work()
    async with _TURNS.turn(job_owner.get()):
        return await asyncio.get_running_loop().run_in_executor(_THREADS, copy_context().run, work)
