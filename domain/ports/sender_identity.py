"""How an organisation appears to recipients: on their pages and in emails."""

from dataclasses import dataclass
from typing import Protocol

from domain.shared.ids import OrganisationId


@dataclass(frozen=True, slots=True)
class Logo:
    """An organisation's logo as pages and emails show it: a PNG, and its size in CSS pixels."""

    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SenderIdentity:
    """How an organisation appears to recipients. `accent` is a colour (`#rrggbb`). The links are https addresses.

    `sender_name` is shown instead of the organisation's name.
    """

    logo: Logo | None = None
    sender_name: str | None = None
    accent: str | None = None
    imprint_url: str | None = None
    privacy_url: str | None = None


NO_IDENTITY = SenderIdentity()


class SenderIdentities(Protocol):
    """The identities of organisations."""

    async def find(self, organisation_id: OrganisationId) -> SenderIdentity:
        """Returns the identity; `NO_IDENTITY` if nothing is set."""

    async def store(self, organisation_id: OrganisationId, identity: SenderIdentity) -> None:
        """Replaces the identity."""
