"""Limits of requests per caller, and of recipients per day of each client."""

from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.shared.ids import ClientId
from domain.shared.sending_limit import SendingLimit

MINUTE = 60
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit of `requests` per `seconds`. 0 requests mean no limit."""

    name: str
    requests: int
    seconds: int = MINUTE


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """The state of a caller's quota. `resets_in` is the time in seconds, at least 1, until it is full again."""

    quota: Quota
    remaining: int
    resets_in: int
    is_exceeded: bool


class RateLimiter(Protocol):
    """Counts requests per caller."""

    async def hit(self, quota: Quota, caller: str) -> RateLimitStatus | None:
        """Counts one request of the caller. Returns None if requests are not counted; then they are allowed.

        Exceeding calls that a caller repeats at once return later and later, so that they delay no other caller.
        """


class SendingCharge(NamedTuple):
    """An action of a client that mails `recipients` people. Repeating the same `act` counts once."""

    client_id: ClientId
    act: str
    recipients: int


class ChargeResult(Enum):
    """The result of charging an action to a limit."""

    COUNTED = auto()
    ALREADY_COUNTED = auto()  # this action was counted before
    EXCEEDED = auto()  # the limit of the day would be exceeded: nothing was counted


class SendingLimits(Protocol):
    """Sending limits of clients. A client without one may send as much as its organisation."""

    async def find(self, client_id: ClientId) -> SendingLimit | None: ...

    async def set(self, client_id: ClientId, budget: SendingLimit) -> None:
        """Sets the limit of the client. An unlimited one is removed."""

    async def charge(self, spending: SendingCharge, day: date, at_most: int) -> ChargeResult:
        """Counts the recipients, unless the day's total would exceed `at_most`. Concurrent calls are all counted."""

    async def count_charged(self, client_id: ClientId, day: date) -> int:
        """Returns the number of recipients counted on that day."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """Requests per minute; 0 means no limit.

    `reads` and `writes` apply to an organisation, `links` to a mail address, the others to a client address.

    `sign_ins` counts requests for sign-in links and sign-ins by a provider, `links` the sign-in links, `checks` the
    files that are posted for verification. `registrations` counts OAuth registrations, which also have a limit per day.
    """

    reads: int = 600
    writes: int = 120
    tokens: int = 60
    pages: int = 600
    sign_ins: int = 20
    links: int = 4
    checks: int = 20
    registrations: int = 10
