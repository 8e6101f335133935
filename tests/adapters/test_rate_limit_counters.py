"""Counting requests: one suite for the memory of a process and for a Redis that processes share."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from adapters import rate_limit_counters
from adapters.rate_limit_counters import LimitsRateLimiter, limit_in_memory, limit_in_redis
from adapters.refusal_pace import STEP
from domain.ports.limits import MINUTE, Quota
from tests.adapters.redis_server import redis_server
from tests.builders import identifier

QUOTA = Quota("reads", 2)


@pytest.fixture(scope="module")
def redis_address() -> Iterator[str]:
    """Of a Redis that is waited for as long as a busy machine takes."""
    with redis_server() as address, patch.object(rate_limit_counters, "PATIENCE", 60):
        yield address


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.redis)])
async def counted(request: pytest.FixtureRequest) -> AsyncIterator[LimitsRateLimiter]:
    if request.param == "memory":
        yield limit_in_memory()
        return
    async with limit_in_redis(request.getfixturevalue("redis_address")) as counted:
        yield counted


async def test_requests_are_limited_by_the_quota(counted: LimitsRateLimiter) -> None:
    standings = [await counted.hit(QUOTA, identifier("an organisation")) for _ in range(4)]
    assert [(s.remaining, s.is_exceeded) for s in standings if s] == [(1, False), (0, False), (0, True), (0, True)]
    assert all(s and 1 <= s.resets_in <= MINUTE for s in standings)


async def test_callers_and_quotas_are_counted_separately(counted: LimitsRateLimiter) -> None:
    for _ in range(3):
        await counted.hit(QUOTA, "one")

    other = await counted.hit(QUOTA, "other")
    writes = await counted.hit(Quota("writes", 2), "one")

    assert (other and other.is_exceeded, writes and writes.is_exceeded) == (False, False)


async def test_calls_that_are_refused_at_once_again_and_again_are_answered_at_a_slow_pace() -> None:
    counted, quota = limit_in_memory(), Quota("reads", 1)
    start = time.monotonic()
    await asyncio.gather(*(counted.hit(quota, "one") for _ in range(7)))
    assert time.monotonic() - start >= 5 * STEP


async def test_a_quota_of_none_is_not_counted(counted: LimitsRateLimiter) -> None:
    assert await counted.hit(Quota("reads", 0), "anybody") is None


async def test_processes_that_share_a_redis_count_together(redis_address: str) -> None:
    async with limit_in_redis(redis_address) as one, limit_in_redis(redis_address) as other:
        standings = [await process.hit(QUOTA, "a shared organisation") for process in (one, other, one)]
    assert [s.is_exceeded for s in standings if s] == [False, False, True]


async def test_a_process_counts_alone_while_redis_is_away(tmp_path: Path) -> None:
    async with limit_in_redis(f"redis+unix://{tmp_path}/nothing.sock") as counted:
        with capture_logs() as logs:
            results = [await counted.hit(QUOTA, "anybody") for _ in range(3)]

    assert [status.is_exceeded for status in results if status] == [False, False, True]
    assert [(line["event"], line["dependency"]) for line in logs] == [("a dependency fails", "rate-limits")]
    assert "No such file" in logs[0]["reason"]
