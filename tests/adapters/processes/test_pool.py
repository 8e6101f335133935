"""The pool of child processes: work comes back, and nothing that a child does harms its parent."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Collection
from pathlib import Path

import pytest

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from domain.ports.process_pool import PoolClosed, ProcessDied
from tests import ROOT
from tests.http_requests import PATIENCE

GIGABYTE = 1024**3


@pytest.fixture
async def pool() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(2, limits=JobLimits(seconds=20, memory=GIGABYTE), warm_modules=("wave",))
    yield pool
    await pool.close()


def die_as(processes: Collection[int]) -> str:
    """Dies in one of `processes`, does its work in another."""
    if os.getpid() in processes:
        os._exit(9)
    return "done"


def fail(error: Exception) -> None:
    raise error


def compute(seconds: float) -> int:
    """Returns the id of its process after `seconds` of processor time."""
    while time.process_time() < seconds:
        pass
    return os.getpid()


def is_loaded(module: str) -> bool:
    return module in sys.modules


def take(size: int) -> int:
    return len(bytearray(size))


def grow() -> None:
    """Takes ever more in pieces that are small enough."""
    pieces = []
    while True:
        pieces.append(bytes(10_000_000))


async def ids(pool: ForkServerPool) -> set[int]:
    return {await pool.run(os.getpid) for _ in range(2)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_children_ignore_signals_to_the_process_group(pool: ForkServerPool, number: signal.Signals) -> None:
    children = await ids(pool)
    for child in children:
        os.kill(child, number)
    assert await ids(pool) == children


async def test_errors_of_the_work_are_raised(pool: ForkServerPool) -> None:
    for error in (LookupError("not here"), TimeoutError("the work's own")):
        with pytest.raises(type(error), match=str(error)):
            await pool.run(fail, error)


async def test_work_of_a_child_that_dies_is_repeated(pool: ForkServerPool) -> None:
    assert await pool.run(die_as, await ids(pool)) == "done"


async def test_work_that_kills_every_child_ends(pool: ForkServerPool) -> None:
    with pytest.raises(ProcessDied, match="_exit"):
        await pool.run(os._exit, 9)
    assert await pool.run(abs, -1) == 1


async def test_work_never_pays_for_its_neighbour(pool: ForkServerPool) -> None:
    children = await ids(pool)
    neighbour = await begun(pool, children)
    with pytest.raises(ProcessDied):
        await pool.run(os._exit, 9)
    assert await neighbour in children


def await_end(process_id: int) -> None:
    for _ in range(4800):
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            return
        time.sleep(0.025)
    raise AssertionError("the process does not end")


async def test_when_the_fork_server_is_killed_its_children_end_and_work_goes_on(pool: ForkServerPool) -> None:
    before = {await pool.run(os.getpid) for _ in range(2)}
    os.kill(await pool.run(os.getppid), signal.SIGKILL)
    for _ in range(4):
        assert await pool.run(abs, -1) == 1
    for child in before:
        await asyncio.to_thread(await_end, child)


async def test_the_fork_server_outlives_signals_to_the_process_group(pool: ForkServerPool) -> None:
    assert await pool.run(abs, -1) == 1
    server = await pool.run(os.getppid)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(server, number)
    for _ in range(2):
        with pytest.raises(ProcessDied):
            await pool.run(os._exit, 9)
    assert {await pool.run(os.getppid) for _ in range(2)} == {server}


async def test_a_fork_server_that_replaces_a_killed_one_outlives_them_too(pool: ForkServerPool) -> None:
    for _ in range(10):
        killed = await pool.run(os.getppid)
        before = {await pool.run(os.getpid) for _ in range(2)}
        os.kill(killed, signal.SIGKILL)
        assert await pool.run(abs, -1) == 1
        for child in before:
            await asyncio.to_thread(await_end, child)
        server = await pool.run(os.getppid)
        os.kill(server, signal.SIGTERM)
        with pytest.raises(ProcessDied):
            await pool.run(os._exit, 9)
        assert {await pool.run(os.getppid) for _ in range(2)} == {server}


def processor_time(process_id: int) -> int:
    return sum(map(int, Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[11:13]))


async def begun(pool: ForkServerPool, children: Collection[int], seconds: float = 3) -> asyncio.Task[int]:
    """Work that takes `seconds`, and has begun in one of the `children`."""
    before = sum(map(processor_time, children))
    task = asyncio.create_task(pool.run(compute, seconds))
    while sum(map(processor_time, children)) <= before + 5:  # noqa: ASYNC110  # no event of another process
        await asyncio.sleep(0)
    return task


async def test_cancelled_work_frees_its_process() -> None:
    pool = ForkServerPool(1)
    task = await begun(pool, await ids(pool), 60)
    task.cancel()
    async with asyncio.timeout(20):
        assert await pool.run(abs, -1) == 1
    await pool.close()


async def test_a_pool_that_is_closed_gives_up_its_work_and_leaves_no_process() -> None:
    pool = ForkServerPool(2)
    children = await ids(pool)
    task = await begun(pool, children, 60)
    await pool.close()
    with pytest.raises(PoolClosed):
        await task
    for child in children:
        await asyncio.to_thread(await_end, child)


async def test_children_are_warm_limited_processes(pool: ForkServerPool) -> None:
    assert os.getpid() not in await asyncio.gather(*(pool.run(os.getpid) for _ in range(8)))
    assert await pool.run(is_loaded, "wave")
    assert await pool.run(resource.getrlimit, resource.RLIMIT_DATA) == (GIGABYTE, GIGABYTE)
    assert await pool.run(resource.getrlimit, resource.RLIMIT_CORE) == (0, 0)


async def test_work_with_too_much_memory_ends(pool: ForkServerPool) -> None:
    assert await pool.run(take, GIGABYTE // 2) == GIGABYTE // 2
    before = {await pool.run(os.getpid) for _ in range(4)}
    for _ in range(2):
        with pytest.raises(ProcessDied, match="take exceeded its limit of time or memory"):
            await pool.run(take, 2 * GIGABYTE)
    assert not {await pool.run(os.getpid) for _ in range(4)} & before
    assert await pool.run(take, GIGABYTE // 2) == GIGABYTE // 2
    with pytest.raises(ProcessDied):
        await pool.run(grow)


async def test_work_that_waits_behind_work_without_bounds_is_done() -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=5, memory=GIGABYTE), warm_modules=(__name__,))
    first = await begun(pool, await ids(pool), 60)
    second, third = asyncio.create_task(pool.run(take, 2 * GIGABYTE)), asyncio.create_task(pool.run(abs, -1))
    results = await asyncio.gather(first, second, third, return_exceptions=True)
    assert [type(result) for result in results] == [ProcessDied, ProcessDied, int]
    await pool.close()


async def test_the_time_limit_begins_when_the_child_is_ready_and_ends_work_that_hangs() -> None:
    limits = JobLimits(seconds=1.5, memory=GIGABYTE)
    pool = ForkServerPool(1, limits=limits, warm_modules=("tests.adapters.slow_to_load",))
    assert await pool.run(os.getpid) != os.getpid()
    started = time.monotonic()
    with pytest.raises(ProcessDied, match="sleep exceeded its limit of time or memory"):
        await pool.run(time.sleep, 60)
    assert time.monotonic() - started < 20
    assert await pool.run(abs, -1) == 1
    await pool.close()


KILLED = """
import asyncio, os, signal
from adapters.processes.pool import ForkServerPool

async def work():
    pool = ForkServerPool(1)
    print(await pool.run(os.getpid), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(work())
"""


def test_children_of_a_killed_parent_end_without_a_word(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    # Ends when the last process has closed its standard error: the fork server too.
    done = subprocess.run(
        [sys.executable, script],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
    await_end(int(done.stdout))
