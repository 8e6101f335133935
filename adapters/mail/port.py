"""What a mail transport promises."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one address. `message_id` (without angle brackets) is the same on every try of the same mail."""

    message_id: str
    to_name: str
    to_email: str
    from_name: str
    subject: str
    text: str
    html: str
    sent_at: datetime


class MailNotSent(Exception):
    """The transport did not take the mail; try again later."""


class Mailer(Protocol):
    async def send(self, mail: Mail) -> None:
        """Hands `mail` over. The same `message_id` again is delivered once.

        Raises:
            MailNotSent: a temporary failure.
        """
        ...
