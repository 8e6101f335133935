"""How far a client may go in the name of an organisation: how many people it may mail, and where (contract 16)."""

from collections.abc import Iterable

from pydantic import Field

from domain.models import Value

LARGEST = 100_000
"""Recipients a day; more than anybody needs is the same as any number."""


class Budget(Value):
    """What sending by one client is held to.

    `recipients_per_day` counts the recipients of all that it sends in one day of UTC, None any number. `domains` are
    those at which they may have their mailboxes, in lower case; none of them any domain. A domain stands for itself,
    not for those below it.
    """

    recipients_per_day: int | None = Field(default=None, ge=0, le=LARGEST)
    domains: tuple[str, ...] = ()

    @property
    def is_unlimited(self) -> bool:
        return self.recipients_per_day is None and not self.domains

    def refused_domains(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """The domains of `addresses` that are not allowed, in order."""
        if not self.domains:
            return ()
        found = {address.rpartition("@")[2].lower() for address in addresses}
        return tuple(sorted(found.difference(self.domains)))


UNLIMITED = Budget()
