"""Waiting for what a workflow does by itself, in small bounded steps of real time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def eventually(look: Callable[[], Awaitable[T]], until: Callable[[T], bool], tries: int = 4800) -> T:
    """What `look` sees as soon as `until` holds of it; fails with the last sight of it otherwise."""
    for _ in range(tries):
        seen = await look()
        if until(seen):
            return seen
        await asyncio.sleep(0.025)
    raise AssertionError(f"still not so: {seen!r}")
