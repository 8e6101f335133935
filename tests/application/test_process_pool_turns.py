"""Fair queues of a shared pool, and the bounds of the pool itself."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from application import process_pool_turns as module
from application.process_pool_turns import FairQueue
from ports.process_pool import PoolBusy


class HeldPool:
    """A pool whose jobs run until `let_go`."""

    def __init__(self) -> None:
        self.running: list[str] = []
        self.let_go = asyncio.Event()

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.running.append(args[0])
        await self.let_go.wait()
        return work(*args, **kwargs)


async def settle() -> None:
    """Lets other tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_job_waits_for_jobs_of_its_key_only() -> None:
    turns, pool = FairQueue(), HeldPool()
    work = [
        asyncio.create_task(turns.share(pool, key).run(str.upper, name))
        for key, name in (("one", "a"), ("one", "b"), ("other", "c"))
    ]
    await settle()

    assert pool.running == ["a", "c"]
    pool.let_go.set()
    assert await asyncio.gather(*work) == ["A", "B", "C"]


async def is_busy(turns: FairQueue, *arguments: Any, **options: Any) -> bool:
    try:
        async with turns.turn(*arguments, **options):
            return False
    except PoolBusy:
        return True


async def test_a_key_has_a_maximum_of_jobs_and_of_slots() -> None:
    turns = FairQueue()
    async with turns.turn("one", most=1):
        assert await is_busy(turns, "one", most=1)
        assert not await is_busy(turns, "other", most=1)
    assert not await is_busy(turns, "one", most=1)
    async with turns.turn("checks", 2, 2), turns.turn("checks", 2, 2):
        assert await is_busy(turns, "checks", 2, 2)


async def test_a_job_that_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAIT", 0)
    turns = FairQueue()
    async with turns.turn("one"):
        assert await is_busy(turns, "one")


async def test_empty_queues_are_removed() -> None:
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


@pytest.mark.parametrize(
    ("bound", "queued"), [({"waiting": 1}, ["2"]), ({"patience": 0}, [])], ids=["full queue", "long wait"]
)
async def test_a_pool_refuses_a_job_beyond_its_bounds(bound: dict[str, Any], queued: list[str]) -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=600, memory=1024**3, **bound))
    accepted = []
    for number in ("1", *queued):
        accepted.append(asyncio.create_task(pool.run(int, number)))
        await settle()

    with pytest.raises(PoolBusy):
        await pool.run(int, "3")

    assert await asyncio.gather(*accepted) == [1, *map(int, queued)]
    assert await pool.run(int, "4") == 4
    await pool.close()
