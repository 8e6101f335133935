"""Requests per minute (Specification 8.3)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quotas:
    """Requests a minute; 0 means any number. `reads` and `writes` of an organisation, the others of an address.

    `sign_ins` are sign-in links that are asked for, `links` those for one mail address. `checks` are posts of files to
    be checked. `registrations` of programs are also counted by the day.
    """

    reads: int = 600
    writes: int = 120
    tokens: int = 60
    pages: int = 600
    sign_ins: int = 20
    links: int = 4
    checks: int = 20
    registrations: int = 10
