"""The fair queue of a pool: order, bounds, cancellation, and the share of each organisation."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from domain.ports.fair_queue import ORGANISATIONS, FairQueue
from domain.ports.process_pool import JobOwner, PoolBusy, PoolClosed, ProcessDied, lower_priority, run_jobs_for


class Jobs:
    """Jobs that hold a slot of a queue until they are ended. `running` are those that have begun, oldest first."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self._ends: dict[str, asyncio.Event] = {}
        self.running: list[str] = []
        self.begun: list[str] = []

    async def add(self, owner: JobOwner, *names: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._hold(owner, name)) for name in names]
        await settle()
        return tasks

    async def _hold(self, owner: JobOwner, name: str) -> None:
        async with self._queue.turn(owner):
            self.running.append(name)
            self.begun.append(name)
            try:
                await self._ends.setdefault(name, asyncio.Event()).wait()
            finally:
                self.running.remove(name)

    async def end(self, name: str) -> None:
        self._ends.setdefault(name, asyncio.Event()).set()
        await settle()

    async def end_all(self) -> Sequence[str]:
        """Ends the oldest job until none is left. Returns all jobs in the order in which they began."""
        while self.running:
            await self.end(self.running[0])
        return self.begun


async def settle() -> None:
    """Lets other tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


A, B, C = (JobOwner(name) for name in "abc")


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


@pytest.mark.parametrize("slots", [1, 2, 4])
async def test_a_job_starts_after_at_most_one_job_of_an_organisation_that_fills_everything(slots: int) -> None:
    jobs = Jobs(FairQueue(slots, waiting=20))
    for person in names("client", 2):
        await jobs.add(B._replace(person=person), *names(person, 10))
        await jobs.add(B._replace(person=person, is_urgent=False), *names(f"{person}-preview", 10))
    assert len(jobs.running) == max(1, slots - 1)

    await jobs.add(A, "signature")
    if slots == 1:
        await jobs.end(jobs.running[0])

    assert "signature" in jobs.running


async def test_organisations_take_turns_and_so_do_the_persons_of_one() -> None:
    jobs = Jobs(FairQueue(1))
    await jobs.add(B, "held")
    await jobs.add(B._replace(person="x"), "b1", "b2", "b3")
    await jobs.add(B._replace(person="y"), "b4")
    await jobs.add(A, "a1", "a2")
    await jobs.add(C, "c1")

    assert await jobs.end_all() == ["held", "a1", "c1", "b1", "a2", "b4", "b2", "b3"]


async def test_urgent_jobs_start_first_and_never_stop_the_others() -> None:
    jobs = Jobs(FairQueue(1))
    await jobs.add(A, "held")
    await jobs.add(A._replace(is_urgent=False), "preview1", "preview2")
    await jobs.add(A, *names("sign", 6))

    order = await jobs.end_all()

    assert order == ["held", "sign0", "sign1", "preview1", "sign2", "sign3", "sign4", "preview2", "sign5"]


async def test_an_organisation_never_has_all_slots() -> None:
    jobs = Jobs(FairQueue(3))
    await jobs.add(A, *names("a", 5))
    assert jobs.running == ["a0", "a1"]
    await jobs.add(B, *names("b", 5))
    assert jobs.running == ["a0", "a1", "b0"]


async def is_refused(queue: FairQueue, owner: JobOwner) -> bool:
    try:
        async with queue.turn(owner):
            return False
    except PoolBusy:
        return True


async def test_a_person_an_organisation_and_all_have_a_maximum_of_waiting_jobs() -> None:
    queue = FairQueue(1, waiting=4)
    jobs = Jobs(queue)
    await jobs.add(C, "held")
    await jobs.add(A._replace(person="x"), "x1", "x2")
    assert await is_refused(queue, A._replace(person="x"))
    await jobs.add(A._replace(person="y"), "y1", "y2")
    assert await is_refused(queue, A._replace(person="z"))
    previews = await jobs.add(A._replace(person="z", is_urgent=False), "of another priority")
    for organisation in names("o", ORGANISATIONS - 1):
        for person in ("x", "y"):
            await jobs.add(JobOwner(organisation, person), f"{organisation}{person}1", f"{organisation}{person}2")
    assert await is_refused(queue, B)
    await jobs.end("held")
    assert previews
    await jobs.add(B, "b")
    await jobs.end_all()
    assert "b" in jobs.begun


async def test_a_job_that_waits_too_long_is_refused_and_leaves_its_place() -> None:
    queue = FairQueue(1, patience=0)
    jobs = Jobs(queue)
    await jobs.add(A, "held")
    assert await is_refused(queue, A)
    assert await is_refused(queue, B)
    await jobs.end("held")
    assert not await is_refused(queue, B)


async def test_cancelled_jobs_leave_their_places_at_every_moment() -> None:
    chance = Random(1)  # noqa: S311  # no secret
    queue = FairQueue(3, waiting=50)
    jobs = Jobs(queue)
    tasks: list[asyncio.Task[None]] = []
    for number in range(300):
        owner = JobOwner(chance.choice("abc"), chance.choice("xy"), chance.random() < 0.5)
        task = asyncio.create_task(jobs._hold(owner, str(number)))  # without `settle`
        tasks.append(task)
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
        chance.choice(tasks).cancel()
        assert len(jobs.running) <= 3
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert not jobs.running
    for owner in (A, B, C):
        await jobs.add(owner, f"after {owner.organisation}")
    assert len(jobs.running) == 3


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


async def test_jobs_of_low_priority_have_less_time_and_a_killed_job_frees_its_process() -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=600, memory=1024**3, low_priority_seconds=0.1))

    async def preview() -> None:
        run_jobs_for("a")
        lower_priority()
        await pool.run(hang)

    hanging = asyncio.create_task(preview())
    assert await pool.run(int, "4") == 4
    with pytest.raises(ProcessDied):
        await hanging
    assert await pool.run(int, "5") == 5
    await pool.close()


async def test_an_organisation_whose_jobs_all_hang_does_not_stop_another() -> None:
    pool = ForkServerPool(2, limits=JobLimits(seconds=600, memory=1024**3, waiting=20))

    async def run_for(organisation: str, work: Callable[[], Any]) -> Any:
        run_jobs_for(organisation)
        return await pool.run(work)

    hanging = [asyncio.create_task(run_for("b", hang)) for _ in range(10)]
    await settle()
    assert await asyncio.create_task(run_for("a", int)) == 0
    await pool.close()
    assert {type(error) for error in await asyncio.gather(*hanging, return_exceptions=True)} <= {PoolClosed, PoolBusy}


def hang() -> None:
    while True:
        pass
