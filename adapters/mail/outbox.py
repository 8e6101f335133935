"""The local outbox: every mail is a file that any mail program opens, and nothing leaves the machine."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

from email_validator import EmailNotValidError, validate_email

from adapters.mail.port import Mail, MailNotSent
from adapters.write_once import write_once
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
        content = compose(mail, self._from_address).as_bytes(policy=SMTP)
        try:
            await asyncio.to_thread(self._keep, mail, content)
        except OSError as error:
            raise MailNotSent(f"the outbox did not take the mail: {error.strerror}") from error

    def _keep(self, mail: Mail, content: bytes) -> None:
        at = mail.sent_at.astimezone(UTC)
        identity = digest(mail.message_id.encode())[:16]
        if any(self._directory.glob(f"*-{identity}.eml")):
            return  # an earlier try, perhaps of another moment
        with suppress(FileExistsError):  # another try at the same moment
            write_once(self._directory / f"{at:%Y%m%dT%H%M%S}{at.microsecond // 1000:03}-{identity}.eml", content)


def compose(mail: Mail, from_address: str) -> EmailMessage:
    """The mail as a message: text and HTML as alternatives. No header can be smuggled in by a name or a subject.

    Raises:
        MailNotSent: mail cannot go to that address.
    """
    message = EmailMessage()
    message["Message-ID"] = f"<{mail.message_id}>"
    message["Date"] = format_datetime(mail.sent_at.astimezone(UTC))
    message["From"] = Address(_one_line(mail.from_name), addr_spec=from_address)
    message["To"] = Address(_one_line(mail.to_name), addr_spec=_ascii(mail.to_email))
    message["Subject"] = _one_line(mail.subject)
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    message.set_boundary(digest(mail.message_id.encode())[:32])  # so that a second try has the same bytes
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


def _ascii(email: str) -> str:
    """The address as it may stand in a header: a domain of other letters in its ASCII form."""
    try:
        address = validate_email(email, check_deliverability=False, globally_deliverable=False, allow_smtputf8=False)
    except EmailNotValidError as error:
        raise MailNotSent("the address of the recipient is not one that mail can go to; correct it") from error
    return address.ascii_email or email


def _one_line(text: str) -> str:
    """One line of visible characters, none of them read as an encoded word (RFC 2047)."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line.replace("=?", "= ?")
