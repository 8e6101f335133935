"""How far a client may go in the name of an organisation: how many people it mails, and where (Specification 5.5)."""

import re
from collections.abc import Iterable

from pydantic import Field

from domain.shared.frozen_model import FrozenModel

MAX_RECIPIENTS = 100_000
"""Recipients a day; more than anybody needs is the same as any number."""


class SendingLimit(FrozenModel):
    """What sending by one client is held to.

    `recipients_per_day` counts the recipients of all that it sends in one day of UTC, None any number. `domains` are
    those at which they may have their mailboxes, in lower case; none of them any domain. A domain stands for itself,
    not for those below it.
    """

    recipients_per_day: int | None = Field(default=None, ge=0, le=MAX_RECIPIENTS)
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


UNLIMITED = SendingLimit()

_DOMAIN = re.compile(r"(?!.*\.\.)[^\s@.,;:/\\\x00-\x1f][^\s@,;:/\\\x00-\x1f]{0,251}\.[^\s@.,;:/\\\x00-\x1f]{2,63}")

MAX_DOMAINS = 50


class InvalidDomain(ValueError):
    """`text` is no domain."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text} is no domain; give one such as example.com")


def parse_domains(text: str) -> tuple[str, ...]:
    """The domains in `text`, which has commas, semicolons or spaces between them, in lower case and each once.

    Raises:
        NoDomain: one of them cannot be a domain, or there are more than `MAX_DOMAINS`.
    """
    found = dict.fromkeys(part.removeprefix("@").lower() for part in re.split(r"[\s,;]+", text) if part)
    for number, domain in enumerate(found):
        if number >= MAX_DOMAINS or not _DOMAIN.fullmatch(domain):
            raise InvalidDomain(domain)
    return tuple(found)
