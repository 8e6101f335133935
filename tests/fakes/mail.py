"""Mail that stays in memory, and logos."""

from ports.mail import Mail, MailRejected


class MemoryMailer:
    """`sent` holds every mail once, in the order in which they were handed over. `failure` is raised instead,
    and `failures` are before, each once. Mails to those in `refused` are refused for good.
    """

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
