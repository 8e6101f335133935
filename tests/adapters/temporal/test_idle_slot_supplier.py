"""Slots that are given when the machine has time for them."""

import asyncio
from typing import cast

from temporalio.worker import SlotReleaseContext, SlotReserveContext

from adapters.temporal.idle_slot_supplier import IdleSlotSupplier, idle_part, wait_until_idle

ASKING, RELEASING = cast(SlotReserveContext, None), cast(SlotReleaseContext, None)


async def at_once() -> None:
    """A machine that is never busy."""


async def test_slots_are_reserved_up_to_the_limit_until_one_is_released() -> None:
    slots = IdleSlotSupplier(2, at_once)
    assert slots.try_reserve_slot(ASKING) is None
    for _ in range(2):
        await slots.reserve_slot(ASKING)
    third = asyncio.create_task(slots.reserve_slot(ASKING))
    done, _ = await asyncio.wait([third], timeout=0.05)
    assert not done
    await asyncio.to_thread(slots.release_slot, RELEASING)
    await third


async def test_slots_are_reserved_one_after_another() -> None:
    calm = asyncio.Event()
    slots = IdleSlotSupplier(5, calm.wait)
    waiting = [asyncio.create_task(slots.reserve_slot(ASKING)) for _ in range(3)]
    done, _ = await asyncio.wait(waiting, timeout=0.05)
    assert not done
    calm.set()
    await asyncio.gather(*waiting)


async def test_a_cancelled_reservation_leaves_its_slot() -> None:
    never = asyncio.Event()
    slots = IdleSlotSupplier(1, never.wait)
    for _ in range(3):
        waiting = asyncio.create_task(slots.reserve_slot(ASKING))
        await asyncio.wait([waiting], timeout=0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    never.set()
    await slots.reserve_slot(ASKING)


def test_the_idle_part_is_measured_between_two_times() -> None:
    assert idle_part((100, 1000), (130, 1060)) == 0.5
    assert idle_part((100, 1000), (100, 1060)) == 0
    assert 0 <= idle_part(None, None) <= 1


async def test_waiting_for_an_idle_machine_ends() -> None:
    await asyncio.wait_for(wait_until_idle(), timeout=120)
