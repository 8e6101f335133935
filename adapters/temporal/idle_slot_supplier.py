"""A slot supplier that waits for idle CPU time, so that other work goes first."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

from temporalio.worker import (
    CustomSlotSupplier,
    SlotMarkUsedContext,
    SlotPermit,
    SlotReleaseContext,
    SlotReserveContext,
)

POLL_SECONDS = 0.25
"""Time for which CPU usage is measured before a slot is reserved: at most 4 slots a second."""

PATIENCE = 1.0
"""Seconds after which a slot is reserved on a machine that stays busy."""

ENOUGH_IDLE = 0.5
"""The minimum idle part of the CPU time, from 0 to 1, of an idle machine. With less, deferrable work measurably slowed
down other work."""


class IdleSlotSupplier(CustomSlotSupplier):
    """Reserves at most `slots` slots, one by one: up to 4 a second on an idle machine, one a second on a busy one."""

    def __init__(self, slots: int, calm: Callable[[], Awaitable[object]] | None = None) -> None:
        self._free = asyncio.Semaphore(slots)
        # One caller waits for an idle machine at a time: the next one then sees the load of the job before it.
        self._turn = asyncio.Lock()
        self._calm = calm or wait_until_idle
        self._loop: asyncio.AbstractEventLoop | None = None

    async def reserve_slot(self, _: SlotReserveContext) -> SlotPermit:
        self._loop = asyncio.get_running_loop()
        await self._free.acquire()
        try:
            async with self._turn:
                await self._calm()
        except asyncio.CancelledError:
            self._free.release()
            raise
        return SlotPermit()

    def try_reserve_slot(self, _: SlotReserveContext) -> SlotPermit | None:
        """Returns None: a slot is reserved by `reserve_slot` only, after a wait."""
        return None

    def mark_slot_used(self, _: SlotMarkUsedContext) -> None:
        """Does nothing: a slot counts from its reservation."""

    def release_slot(self, _: SlotReleaseContext) -> None:
        if self._loop is not None:  # only reserved slots are released
            self._loop.call_soon_threadsafe(self._free.release)  # the SDK may call this from another thread


async def wait_until_idle(patience: float = PATIENCE) -> bool:
    """Returns true when the machine is idle, or false after `patience` seconds."""
    deadline = monotonic() + patience
    before = _processor_times()
    while True:
        await asyncio.sleep(POLL_SECONDS)
        after = _processor_times()
        if idle_part(before, after) >= ENOUGH_IDLE:
            return True
        if monotonic() >= deadline:
            return False
        before = after


def idle_part(before: tuple[int, int] | None, after: tuple[int, int] | None) -> float:
    """Returns the idle part of the CPU time, from 0 to 1; estimated from the load average without CPU times."""
    if before is None or after is None:
        return max(0.0, 1 - os.getloadavg()[0] / (os.cpu_count() or 1))
    idle, total = after[0] - before[0], after[1] - before[1]
    return idle / total if total else 1.0


def _processor_times() -> tuple[int, int] | None:
    """Returns idle time and total time of all processors (Linux), or None."""
    try:
        with Path("/proc/stat").open("rb") as told:
            times = [int(field) for field in told.readline().split()[1:9]]
    except OSError:
        return None
    return times[3] + times[4], sum(times)
