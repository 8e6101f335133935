"""Limits: requests per caller, and recipients per day of each client."""

from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.shared.ids import ClientId
from domain.shared.sending_limits import SendingLimit

MINUTE = 60
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Quota:
    """So many `requests` of the kind `name` in as many `seconds`; 0 requests mean any number."""

    name: str
    requests: int
    seconds: int = MINUTE


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """Where somebody stands with a quota. `resets_in`: seconds, at least 1, until all of it is there again."""

    quota: Quota
    remaining: int
    resets_in: int
    is_exceeded: bool


class RateLimiter(Protocol):
    """Counts requests."""

    async def hit(self, quota: Quota, whose: str) -> RateLimitStatus | None:
        """Counts one request of `whose`. None: nobody counts, so it may be done."""
        ...


class SendingCharge(NamedTuple):
    """An act of a client that mails so many recipients: the same `act` is the same mails, and counts once."""

    client_id: ClientId
    act: str
    recipients: int


class ChargeResult(Enum):
    """What came of counting."""

    COUNTED = auto()
    ALREADY_COUNTED = auto()  # this act was counted already
    EXCEEDED = auto()  # more than the day has left: nothing was counted


class SendingLimits(Protocol):
    """Budgets of clients, whoever issued their tokens. A client that has none may send what its organisation may."""

    async def find(self, client_id: ClientId) -> SendingLimit | None: ...

    async def set(self, client_id: ClientId, budget: SendingLimit) -> None:
        """From now on the client is held to that; an unlimited budget is none."""
        ...

    async def charge(self, spending: SendingCharge, day: date, at_most: int) -> ChargeResult:
        """Counts, unless the day would then have more than `at_most`. Of many who count at once none is overlooked."""
        ...

    async def count_charged(self, client_id: ClientId, day: date) -> int:
        """How many recipients were counted on that day."""
        ...
