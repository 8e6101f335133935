"""How many requests a caller may make, and how many it has made."""

from dataclasses import dataclass
from typing import Protocol

WINDOW = 60
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Quota:
    """So many `requests` of the kind `name` in as many `seconds`; 0 requests mean any number."""

    name: str
    requests: int
    seconds: int = WINDOW


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands with a quota. `resets_in`: seconds, at least 1, until all of it is there again."""

    quota: Quota
    remaining: int
    resets_in: int
    is_exceeded: bool


class RateLimits(Protocol):
    """Counts requests."""

    async def hit(self, quota: Quota, whose: str) -> Standing | None:
        """Counts one request of `whose`. None: nobody counts, so it may be done."""
        ...
