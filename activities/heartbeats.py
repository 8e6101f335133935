"""Telling Temporal that work goes on, so that a dead worker is noticed long before the work would have to be done."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

from temporalio import activity

_DEFAULT = timedelta(seconds=15)


@contextlib.asynccontextmanager
async def heartbeats(*details: object) -> AsyncIterator[None]:
    """Beats three times within the activity's heartbeat timeout for as long as the context lasts.

    `details`, as they are at each beat, are what a later try finds in `activity.info().heartbeat_details`.
    """
    pause = (activity.info().heartbeat_timeout or _DEFAULT) / 3

    async def beat() -> None:
        while True:
            await asyncio.sleep(pause.total_seconds())  # most are done before, and tell Temporal nothing
            activity.heartbeat(*details)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
