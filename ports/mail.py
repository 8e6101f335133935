"""What a mail transport promises."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.shared.ids import OrganisationId

LOGO_ID = "logo@undersign"


@dataclass(frozen=True, slots=True)
class Logo:
    """An organisation's logo as mails show it: a PNG, and its size in CSS pixels."""

    content: bytes
    width: int
    height: int


class Logos(Protocol):
    """The logos of organisations."""

    async def find(self, organisation_id: OrganisationId) -> Logo | None: ...

    async def store(self, organisation_id: OrganisationId, logo: Logo) -> None:
        """In place of the one before."""
        ...

    async def remove(self, organisation_id: OrganisationId) -> None: ...


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one address. `message_id` (without angle brackets) is the same on every try of the same mail.

    `reply_to` is the address that answers go to, where that is not the one that mails come from. `unsubscribe` is the
    address of who stops mails of this kind, for those that come repeatedly. `logo` is what the HTML shows at `cid:` and
    `LOGO_ID`.
    """

    message_id: str
    to_name: str
    to_email: str
    from_name: str
    subject: str
    text: str
    html: str
    sent_at: datetime
    reply_to: str | None = None
    unsubscribe: str | None = None
    logo: Logo | None = None


class MailNotSent(Exception):
    """The transport did not take the mail; try again later. The message tells no address."""


class MailRejected(Exception):
    """The transport will never take this mail, and says why: the address does not work, or the mail is refused."""


class Mailer(Protocol):
    async def send(self, mail: Mail) -> None:
        """Hands `mail` over. The same `message_id` again is the same mail: delivered once, where that can be known.

        Raises:
            MailNotSent: a temporary failure.
            MailRejected: a permanent one.
        """
        ...

    async def check(self) -> None:
        """Whether mails can be handed over now; none is, and nobody signs in.

        Raises:
            MailNotSent: they cannot; the message says why.
        """
        ...
