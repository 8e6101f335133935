"""The rate limiter: counts requests with the `limits` library, in memory or in a Redis that processes share.

Windows are fixed: the first request after a pause opens a window of one minute. The headers `RateLimit` and
`RateLimit-Policy` describe such windows exactly, and each key needs one counter only.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.aio.storage import Storage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from limits.storage import storage_from_string

from adapters.redis_url import library_form
from adapters.refusal_pace import RefusalPace
from adapters.telemetry.outages import OutageLog
from domain.ports.limits import Quota, RateLimitStatus
from domain.shared.error_redaction import connection_problem

PATIENCE = 0.5
"""Seconds for the storage to respond. After that a request is counted in the memory of this process."""

T = TypeVar("T")


class LimitsRateLimiter:
    """Implements `RateLimiter`. While the storage does not respond, this process counts requests alone.

    It delays a caller that repeats refused calls (`RefusalPace`).
    """

    def __init__(self, storage: Storage) -> None:
        self._limiter = FixedWindowRateLimiter(storage)
        self._alone = FixedWindowRateLimiter(_storage("async+memory://"))
        self._outage = OutageLog("rate-limits")
        self._pace = RefusalPace()

    async def hit(self, quota: Quota, caller: str) -> RateLimitStatus | None:
        if not quota.requests:
            return None
        status = await self._count(quota, caller)
        if status.is_exceeded:
            await asyncio.sleep(self._pace.delay(caller, time.monotonic()))
        return status

    async def _count(self, quota: Quota, caller: str) -> RateLimitStatus:
        item = RateLimitItemPerSecond(quota.requests, quota.seconds)
        try:
            status = await _count(self._limiter, item, quota, caller)
        except (StorageError, TimeoutError) as error:
            self._outage.add_failure(f"Redis does not respond: {connection_problem(error)}. Each process counts alone")
            return await _count(self._alone, item, quota, caller)
        self._outage.add_success()
        return status


async def _count(limiter: FixedWindowRateLimiter, item: RateLimitItem, quota: Quota, caller: str) -> RateLimitStatus:
    is_taken = await _soon(limiter.hit(item, quota.name, caller))
    window = await _soon(limiter.get_window_stats(item, quota.name, caller))
    resets_in = min(max(math.ceil(window.reset_time - time.time()), 1), quota.seconds)
    return RateLimitStatus(quota, window.remaining, resets_in, is_exceeded=not is_taken)


async def _soon(work: Awaitable[T]) -> T:
    async with asyncio.timeout(PATIENCE):
        return await work


def limit_in_memory() -> LimitsRateLimiter:
    """Returns a limiter that counts in the memory of this process."""
    return LimitsRateLimiter(_storage("async+memory://"))


@asynccontextmanager
async def limit_in_redis(address: str) -> AsyncIterator[LimitsRateLimiter]:
    """Yields a limiter on the Redis at `address`, which may be unavailable. Needs `undersign[redis]`."""
    from redis.asyncio import BlockingConnectionPool  # noqa: PLC0415  # most installations have none

    pool = BlockingConnectionPool.from_url(library_form(address))
    try:
        yield LimitsRateLimiter(_storage(f"async+{address}", implementation="redispy", connection_pool=pool))
    finally:
        await pool.aclose()


async def find_redis_problem(address: str) -> str | None:
    """Returns why the Redis at `address` does not respond; None if it does. Needs `undersign[redis]`."""
    from redis.asyncio import Redis  # noqa: PLC0415  # most installations have none
    from redis.exceptions import RedisError  # noqa: PLC0415  # as above

    client = Redis.from_url(library_form(address), socket_connect_timeout=5, socket_timeout=5)
    try:
        await client.ping()
    except (RedisError, OSError) as error:
        return connection_problem(error)
    finally:
        await client.aclose()
    return None


def _storage(address: str, **options: Any) -> Storage:  # noqa: ANN401  # storages have no common type
    storage = storage_from_string(address, wrap_exceptions=True, **options)
    if not isinstance(storage, Storage):
        raise TypeError(f"{type(storage).__name__} is no storage for asyncio")
    return storage
