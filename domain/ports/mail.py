"""Mails, and their transport."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.ports.sender_identity import Logo

LOGO_ID = "logo@undersign"


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one address. `message_id` (without angle brackets) is the same for all attempts of the mail.

    `reply_to` is the reply address, if it differs from the sender. `unsubscribe` is the address that stops recurring
    mails of this kind. `logo` is shown in the HTML at `cid:` and `LOGO_ID`. `language` is named in the headers.
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
    language: str | None = None


class MailNotSent(Exception):
    """The transport did not accept the mail. Try again later. The message holds no address."""


class MailRefusedForNow(MailNotSent):
    """The transport refuses mails of this service until an operator acts: its credentials, sender, size, reputation."""


class MailRejected(Exception):
    """The transport rejected the address of the recipient permanently. The message says why."""


class Mailer(Protocol):
    async def send(self, mail: Mail) -> None:
        """Sends `mail`, once if possible. Raises `MailNotSent` (temporary) or `MailRejected` (the address)."""

    async def check(self) -> None:
        """Connects to the transport, without signing in or sending. Raises `MailNotSent`."""
