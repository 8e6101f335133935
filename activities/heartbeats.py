"""Heartbeats of running activities, so that Temporal detects a dead worker before the activity times out."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

from temporalio import activity

_DEFAULT = timedelta(seconds=15)


@contextlib.asynccontextmanager
async def heartbeats(*details: object) -> AsyncIterator[None]:
    """Sends a heartbeat three times within the activity's heartbeat timeout, for the duration of the block.

    A later attempt finds `details`, as they are at each heartbeat, in `activity.info().heartbeat_details`.
    """
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
