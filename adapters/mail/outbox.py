"""The local outbox: every mail is a file that any mail program opens, and nothing leaves the machine."""

import asyncio
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

from adapters.mail.port import Mail, MailNotSent
from domain.objects import digest


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
        path = (
            self._directory
            / f"{mail.sent_at.astimezone(UTC):%Y%m%dT%H%M%S}-{digest(mail.message_id.encode())[:16]}.eml"
        )
        content = compose(mail, self._from_address).as_bytes(policy=SMTP)
        try:
            await asyncio.to_thread(_write_once, path, content)
        except OSError as error:
            raise MailNotSent(f"the outbox did not take the mail: {error.strerror}") from error


def compose(mail: Mail, from_address: str) -> EmailMessage:
    """The mail as a message: text and HTML as alternatives. No header can be smuggled in by a name or a subject."""
    message = EmailMessage()
    message["Message-ID"] = f"<{mail.message_id}>"
    message["Date"] = format_datetime(mail.sent_at.astimezone(UTC))
    message["From"] = _address(mail.from_name, from_address)
    message["To"] = _address(mail.to_name, mail.to_email)
    message["Subject"] = _one_line(mail.subject)
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    if message.is_multipart() and (boundary := digest(mail.message_id.encode())[:32]):
        message.set_boundary(boundary)  # made from the identity, so that a second try has the same bytes
    return message


def read_outbox(directory: Path) -> list[OutboxEntry]:
    """The mails in the outbox, newest first."""
    if not directory.is_dir():
        return []
    return [_entry(path) for path in sorted(directory.glob("*.eml"), reverse=True)]


def _entry(path: Path) -> OutboxEntry:
    message = message_from_bytes(path.read_bytes(), policy=default)
    return OutboxEntry(
        file_name=path.name,
        sent_at=parsedate_to_datetime(str(message["Date"])),
        to=str(message["To"]),
        subject=str(message["Subject"]),
        text=_body(message, "plain"),
        html=_body(message, "html"),
    )


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""


def _address(name: str, email: str) -> Address:
    return Address(display_name=_one_line(name), addr_spec=_one_line(email))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _write_once(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        return
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(name, path)
    except FileExistsError:
        pass  # the same mail, handed over at the same time by another try
    finally:
        Path(name).unlink()
