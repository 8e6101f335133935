"""What the database promises about budgets: what each client is held to, and how much of it a day has taken."""

from datetime import date
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.shared.ids import ClientId
from domain.shared.sending_limits import Budget


class Spending(NamedTuple):
    """An act of a client that mails so many recipients: the same `act` is the same mails, and counts once."""

    client_id: ClientId
    act: str
    recipients: int


class Spent(Enum):
    """What came of counting."""

    COUNTED = auto()
    BEFORE = auto()  # this act was counted already
    TOO_MANY = auto()  # more than the day has left: nothing was counted


class Budgets(Protocol):
    """Budgets of clients, whoever issued their tokens. A client that has none may send what its organisation may."""

    async def find(self, client_id: ClientId) -> Budget | None: ...

    async def store(self, client_id: ClientId, budget: Budget) -> None:
        """From now on the client is held to that; an unlimited budget is none."""
        ...

    async def spend(self, spending: Spending, day: date, at_most: int) -> Spent:
        """Counts, unless the day would then have more than `at_most`. Of many who count at once none is overlooked."""
        ...

    async def spent(self, client_id: ClientId, day: date) -> int:
        """How many recipients were counted on that day."""
        ...
