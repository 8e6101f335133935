"""Reads the mails in the local outbox for the outbox page."""

from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

from domain.ports.mail import LOGO_ID


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    file_name: str
    sent_at: datetime
    to: str
    subject: str
    text: str
    html: str


def read_outbox(directory: Path) -> list[OutboxEntry]:
    """Returns the mails in `directory`, newest first; an empty list if it does not exist."""
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
    """Returns the HTML part of the mail, with the logo as a data URL."""
    page = _body(message, "html")
    for part in message.walk():
        if part["Content-ID"] == f"<{LOGO_ID}>":
            picture = b64encode(part.get_payload(decode=True) or b"").decode()  # type: ignore[arg-type]
            return page.replace(f"cid:{LOGO_ID}", f"data:image/png;base64,{picture}")
    return page


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""
