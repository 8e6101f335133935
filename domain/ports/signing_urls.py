"""The store of signing URLs, with which a program opens the documents for a recipient."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from domain.session.signing_links import Link
from domain.shared.ids import ClientId, RecipientId

ENDED_URLS_KEPT = timedelta(days=1)
"""How long a signing URL that has ended is kept."""


@dataclass(frozen=True, slots=True)
class SigningUrl:
    """An address that opens the documents for one recipient, once.

    `invitation` is the recipient's latest one: a newer invitation ends the visit. `client_id` is the API client or the
    user that requested the address. Pages of `origin` may frame the visit; None: no page may. After signing or
    declining, the browser goes to `return_url`.
    """

    recipient_id: RecipientId
    invitation: int
    client_id: ClientId
    origin: str | None
    return_url: str | None
    ends_at: datetime
    used_at: datetime | None = None
    generation: int = 0
    """The generation of the client's credentials (`domain.shared.standing`)."""


class SigningUrls(Protocol):
    """Signing URLs, by the hash of their secrets. Erasing a session erases them."""

    async def add(self, link: Link, url: SigningUrl, at: datetime) -> None:
        """Stores a URL, and deletes those of the session that ended more than `ENDED_URLS_KEPT` ago.

        Has no effect for an erased session.
        """

    async def find(self, link: Link) -> SigningUrl | None:
        """Returns the URL, even if it is used or expired, so that the page can show the reason."""

    async def use(self, link: Link, at: datetime) -> bool:
        """Uses up the URL. Returns false if it is used or expired. Of concurrent calls, only one returns true."""
