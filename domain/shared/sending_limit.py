"""The sending limit of a client: recipients per day, and the allowed mail domains (Specification 5.5)."""

import re
from collections.abc import Iterable

from pydantic import Field

from domain.shared.frozen_model import FrozenModel

MAX_RECIPIENTS_PER_DAY = 100_000
"""Maximum recipients per day that can be set."""


class SendingLimit(FrozenModel):
    """The sending limit of one client.

    `recipients_per_day` counts the recipients of all its sessions in a day (UTC); None: no limit. `domains` are the
    allowed mail domains in lower case, without subdomains; empty: all domains.
    """

    recipients_per_day: int | None = Field(default=None, ge=0, le=MAX_RECIPIENTS_PER_DAY)
    domains: tuple[str, ...] = ()

    @property
    def is_unlimited(self) -> bool:
        return self.recipients_per_day is None and not self.domains

    def refused_domains(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """Returns the domains of `addresses` that are not allowed, sorted."""
        if not self.domains:
            return ()
        found = {address.rpartition("@")[2].lower() for address in addresses}
        return tuple(sorted(found.difference(self.domains)))


UNLIMITED = SendingLimit()

_DOMAIN = re.compile(r"(?!.*\.\.)[^\s@.,;:/\\\x00-\x1f][^\s@,;:/\\\x00-\x1f]{0,251}\.[^\s@.,;:/\\\x00-\x1f]{2,63}")

MAX_DOMAINS = 50


class InvalidDomain(ValueError):
    """`text` is not a domain."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text} is not a domain; give one such as example.com")


def parse_domains(text: str) -> tuple[str, ...]:
    """Parses a list of at most `MAX_DOMAINS` domains, separated by commas, semicolons or spaces: lower case, each once.

    Raises `InvalidDomain`.
    """
    found = dict.fromkeys(part.removeprefix("@").lower() for part in re.split(r"[\s,;]+", text) if part)
    for number, domain in enumerate(found):
        if number >= MAX_DOMAINS or not _DOMAIN.fullmatch(domain):
            raise InvalidDomain(domain)
    return tuple(found)
