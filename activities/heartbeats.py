"""Heartbeats of running activities, so that Temporal detects a dead worker before the activity times out."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

from temporalio import activity

_DEFAULT = timedelta(seconds=15)


@contextlib.asynccontextmanager
async def heartbeats(*details: object) -> AsyncIterator[None]:
    """Sends three heartbeats within the activity's heartbeat timeout. A later attempt finds their latest `details`."""
    pause = (activity.info().heartbeat_timeout or _DEFAULT) / 3

    async def beat() -> None:
        while True:
            await asyncio.sleep(pause.total_seconds())  # most activities end before their first heartbeat
            activity.heartbeat(*details)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
