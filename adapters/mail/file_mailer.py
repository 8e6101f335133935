"""The local outbox: every mail is a file that any mail program opens, and nothing leaves the machine."""

import asyncio
import os
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

from adapters.files.write_once import write_once
from adapters.mail.mime import compose
from domain.shared.object_names import digest
from ports.mail import LOGO_ID, Mail, MailNotSent


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A mail as it lies in the outbox."""

    file_name: str
    sent_at: datetime
    to: str
    subject: str
    text: str
    html: str


class OutboxMailer:
    """Keeps `Mailer` by writing `.eml` files into `directory`, named by time and Message-ID."""

    def __init__(self, directory: Path, from_address: str) -> None:
        self._directory = directory
        self._from_address = from_address

    async def send(self, mail: Mail) -> None:
        content = compose(mail, self._from_address).content
        try:
            await asyncio.to_thread(self._keep, mail, content)
        except OSError as error:
            raise MailNotSent(f"the outbox did not take the mail: {error.strerror}") from error

    async def check(self) -> None:
        try:
            await asyncio.to_thread(self._directory.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            raise MailNotSent(f"the outbox cannot be written: {error.strerror}") from error
        if not os.access(self._directory, os.W_OK):
            raise MailNotSent("the outbox cannot be written: let this process write into it")

    def _keep(self, mail: Mail, content: bytes) -> None:
        at = mail.sent_at.astimezone(UTC)
        identity = digest(mail.message_id.encode())[:16]
        if any(self._directory.glob(f"*-{identity}.eml")):
            return  # an earlier try, perhaps of another moment
        with suppress(FileExistsError):  # another try at the same moment
            write_once(self._directory / f"{at:%Y%m%dT%H%M%S}{at.microsecond // 1000:03}-{identity}.eml", content)


def read_outbox(directory: Path) -> list[OutboxEntry]:
    """The mails in the outbox, newest first."""
    if not directory.is_dir():
        return []
    return [_entry(path) for path in sorted(directory.glob("*.eml"), reverse=True)]


def _entry(path: Path) -> OutboxEntry:
    message = message_from_string(path.read_text(encoding="utf-8"), policy=default)
    return OutboxEntry(
        file_name=path.name,
        sent_at=parsedate_to_datetime(str(message["Date"])),
        to=str(message["To"]),
        subject=str(message["Subject"]),
        text=_body(message, "plain"),
        html=_html(message),
    )


def _html(message: EmailMessage) -> str:
    """The page with its logo in it, as a browser shows it by itself."""
    page = _body(message, "html")
    for part in message.walk():
        if part["Content-ID"] == f"<{LOGO_ID}>":
            picture = b64encode(part.get_payload(decode=True) or b"").decode()  # type: ignore[arg-type]
            return page.replace(f"cid:{LOGO_ID}", f"data:image/png;base64,{picture}")
    return page


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""
