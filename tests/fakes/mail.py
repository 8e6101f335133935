"""Mail that stays in memory."""

from adapters.mail.port import Mail


class MemoryMailer:
    """`sent` holds every mail once, in the order in which they were handed over. `failure` is raised instead."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []
        self.failure: Exception | None = None

    async def send(self, mail: Mail) -> None:
        if self.failure:
            raise self.failure
        if mail.message_id not in {sent.message_id for sent in self.sent}:
            self.sent.append(mail)
