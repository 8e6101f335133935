"""Mail that stays in memory, and logos."""

from domain.ports.mail import Mail, MailRejected
from tests.builders import NOON

MAIL = Mail(
    message_id="invitation.1@undersign",
    to_name="Zoë Ångström",
    to_email="zoe@example.com",
    from_name="Northwind, Ltd. via Undersign",
    subject="Please sign: Vereinbarung über Beratung",
    text="Hello Zoë,\n\n.a line that begins with a point\n",
    html="<p>Hello Zoë</p>",
    sent_at=NOON,
)


class MemoryMailer:
    """`sent` holds every mail once. `failures` are raised first, once each, then `failure`. `refused` are addresses."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []
        self.failure: Exception | None = None
        self.failures: list[Exception] = []
        self.refused: set[str] = set()

    async def send(self, mail: Mail) -> None:
        if self.failures:
            raise self.failures.pop()
        if self.failure:
            raise self.failure
        if mail.to_email in self.refused:
            raise MailRejected("550 no such user")
        if mail.message_id not in {sent.message_id for sent in self.sent}:
            self.sent.append(mail)
