"""Work that a worker does beside its tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

log = structlog.get_logger(__name__)


@asynccontextmanager
async def run_periodically(look: Callable[[], Awaitable[int]], every: timedelta, failure: str) -> AsyncIterator[None]:
    """Calls `look` again and again for as long as the block lasts.

    `look` returns how much it did: after some it is called again at once, otherwise after `every`. An error is logged
    under the words of `failure`, and ends nothing.
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
