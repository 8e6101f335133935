"""How many requests are taken in a minute (contract 15)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quotas:
    """Requests a minute; 0 means any number. `reads` and `writes` of an organisation, the others of an address."""

    reads: int = 600
    writes: int = 120
    tokens: int = 60
    pages: int = 600
