"""Slots that are given when the machine has time for them."""

import asyncio
from typing import cast

from temporalio.worker import SlotReleaseContext, SlotReserveContext

from adapters.temporal.idle_slot_supplier import IdleSlotSupplier, idle_part, wait_until_idle

ASKING, RELEASING = cast(SlotReserveContext, None), cast(SlotReleaseContext, None)


async def at_once() -> None:
    """A machine that is never busy."""


async def test_so_many_slots_are_given_and_more_when_one_is_free_again() -> None:
    slots = IdleSlotSupplier(2, at_once)
    for _ in range(2):
        await slots.reserve_slot(ASKING)
    third = asyncio.create_task(slots.reserve_slot(ASKING))
    done, _ = await asyncio.wait([third], timeout=0.05)
    assert not done
    await asyncio.to_thread(slots.release_slot, RELEASING)
    await third


async def test_whoever_waits_for_a_calm_moment_has_those_behind_wait_too() -> None:
    calm = asyncio.Event()
    slots = IdleSlotSupplier(5, calm.wait)
    waiting = [asyncio.create_task(slots.reserve_slot(ASKING)) for _ in range(3)]
    done, _ = await asyncio.wait(waiting, timeout=0.05)
    assert not done
    calm.set()
    await asyncio.gather(*waiting)


async def test_who_gives_up_waiting_leaves_the_slot_to_others() -> None:
    never = asyncio.Event()
    slots = IdleSlotSupplier(1, never.wait)
    for _ in range(3):
        waiting = asyncio.create_task(slots.reserve_slot(ASKING))
        await asyncio.wait([waiting], timeout=0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    never.set()
    await slots.reserve_slot(ASKING)


def test_nothing_here_is_urgent() -> None:
    assert IdleSlotSupplier(1).try_reserve_slot(ASKING) is None


def test_the_idle_part_is_that_of_the_time_between_two_looks() -> None:
    assert idle_part((100, 1000), (130, 1060)) == 0.5
    assert idle_part((100, 1000), (100, 1060)) == 0
    assert 0 <= idle_part(None, None) <= 1


async def test_nobody_waits_for_a_calm_moment_for_ever() -> None:
    await asyncio.wait_for(wait_until_idle(), timeout=120)
