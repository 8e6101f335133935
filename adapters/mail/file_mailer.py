"""The local outbox: every mail is a file, and none leaves the machine."""

import asyncio
import os
from contextlib import suppress
from datetime import UTC
from pathlib import Path

from adapters.files import ensure_folder, write_once
from adapters.mail.mime import to_mime
from domain.ports.mail import Mail, MailNotSent
from domain.shared.object_names import digest


class FileMailer:
    """Implements `Mailer` by writing `.eml` files into `directory`, named by time and Message-ID."""

    def __init__(self, directory: Path, from_address: str) -> None:
        self._directory = directory
        self._from_address = from_address

    async def send(self, mail: Mail) -> None:
        content = to_mime(mail, self._from_address).content
        try:
            await asyncio.to_thread(self._keep, mail, content)
        except OSError as error:
            raise MailNotSent(f"the outbox did not take the mail: {error.strerror}") from error

    async def check(self) -> None:
        try:
            await asyncio.to_thread(ensure_folder, self._directory)
        except OSError as error:
            raise MailNotSent(f"the outbox cannot be written: {error.strerror}") from error
        if not os.access(self._directory, os.W_OK):
            raise MailNotSent("the outbox cannot be written: let this process write into it")

    def _keep(self, mail: Mail, content: bytes) -> None:
        at = mail.sent_at.astimezone(UTC)
        identity = digest(mail.message_id.encode())[:16]
        if any(self._directory.glob(f"*-{identity}.eml")):
            return  # an earlier attempt, perhaps with another date
        with suppress(FileExistsError):  # a concurrent attempt
            write_once(self._directory / f"{at:%Y%m%dT%H%M%S}{at.microsecond // 1000:03}-{identity}.eml", content)
