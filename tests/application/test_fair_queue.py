"""Who shares a pool: one piece of work at a time for each, in lines that end."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from adapters.processes.pool import JobLimits, SpawnedProcessPool
from application import fair_queue as module
from application.fair_queue import FairQueue
from ports.process_pool import PoolBusy


class HeldPool:
    """Work that is under way until it is let go."""

    def __init__(self) -> None:
        self.running: list[str] = []
        self.let_go = asyncio.Event()

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.running.append(args[0])
        await self.let_go.wait()
        return work(*args, **kwargs)


async def settle() -> None:
    """Has everything that can go on do so."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_work_of_one_waits_for_its_own_and_not_for_that_of_others() -> None:
    turns, pool = FairQueue(), HeldPool()
    work = [
        asyncio.create_task(turns.share(pool, key).run(str.upper, name))
        for key, name in (("one", "a"), ("one", "b"), ("other", "c"))
    ]
    await settle()

    assert pool.running == ["a", "c"]
    pool.let_go.set()
    assert await asyncio.gather(*work) == ["A", "B", "C"]


async def test_a_line_takes_so_many_and_no_more() -> None:
    turns = FairQueue()
    async with turns.turn("one", most=1):
        with pytest.raises(PoolBusy):
            async with turns.turn("one", most=1):
                pass
        async with turns.turn("other", most=1):
            pass
    async with turns.turn("one", most=1):
        pass


async def test_several_turns_at_once_are_taken_where_that_is_allowed() -> None:
    turns = FairQueue()
    async with turns.turn("checks", 2, 2), turns.turn("checks", 2, 2):
        with pytest.raises(PoolBusy):
            async with turns.turn("checks", 2, 2):
                pass


async def test_who_waits_for_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAIT", 0)
    turns = FairQueue()
    async with turns.turn("one"):
        with pytest.raises(PoolBusy):
            async with turns.turn("one"):
                pass


async def test_nothing_is_kept_of_lines_that_ended_whatever_ended_them() -> None:
    turns, pool = FairQueue(), HeldPool()
    given_up = asyncio.create_task(turns.share(pool, "one").run(str.upper, "a"))
    await settle()
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    with pytest.raises(ZeroDivisionError):
        async with turns.turn("one"):
            raise ZeroDivisionError

    assert turns == FairQueue()


async def test_a_pool_refuses_what_would_wait_in_too_long_a_line() -> None:
    pool = SpawnedProcessPool(1, limits=JobLimits(seconds=600, memory=1024**3, waiting=1))
    running = asyncio.create_task(pool.run(int, "1"))
    await settle()
    waiting = asyncio.create_task(pool.run(int, "2"))
    await settle()

    with pytest.raises(PoolBusy):
        await pool.run(int, "3")

    assert [await running, await waiting, await pool.run(int, "4")] == [1, 2, 4]
    await pool.close()


async def test_a_pool_refuses_what_waited_for_too_long() -> None:
    pool = SpawnedProcessPool(1, limits=JobLimits(seconds=600, memory=1024**3, patience=0))
    running = asyncio.create_task(pool.run(int, "1"))
    await settle()

    with pytest.raises(PoolBusy):
        await pool.run(int, "2")

    assert await running == 1
    await pool.close()
