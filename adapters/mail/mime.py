"""Mails as messages (RFC 5322). Names and subjects cannot inject headers; every attempt produces the same bytes."""

from dataclasses import dataclass
from datetime import UTC
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime
from urllib.parse import quote

from email_validator import EmailNotValidError, validate_email

from domain.shared.object_names import digest
from ports.mail import LOGO_ID, Mail, MailRejected

MAX_UNFOLDED = 76
"""Maximum characters of a word in a header. A longer one is encoded, which makes an address invalid."""


@dataclass(frozen=True, slots=True)
class Message:
    """A mail in wire format. `needs_utf8`: only a server that offers SMTPUTF8 (RFC 6531) may receive it."""

    to_address: str
    content: bytes
    needs_utf8: bool


def to_mime(mail: Mail, from_address: str) -> Message:
    """Returns the mail with text and HTML as alternatives. Raises `MailRejected`."""
    to_address = mailable(mail.to_email)
    message = EmailMessage()
    message["Message-ID"] = f"<{mail.message_id}>"
    message["Date"] = format_datetime(mail.sent_at.astimezone(UTC))
    message["From"] = _address(from_address, mail.from_name)
    message["To"] = _address(to_address, mail.to_name)
    if mail.reply_to:
        message["Reply-To"] = _address(mailable(mail.reply_to))
    message["Subject"] = _one_line(mail.subject)
    message["Auto-Submitted"] = "auto-generated"
    unsubscribe = f"<mailto:{quote(mailable(mail.unsubscribe), safe='@')}?subject=Stop>" if mail.unsubscribe else ""
    if 0 < len(unsubscribe) <= MAX_UNFOLDED:
        message["List-Unsubscribe"] = unsubscribe
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    if mail.logo:
        _add_logo(message, mail)
    if mail.language:
        message["Content-Language"] = mail.language
    message.set_boundary(digest(mail.message_id.encode())[:32])
    needs_utf8 = not to_address.isascii()
    content = message.as_bytes(policy=SMTPUTF8 if needs_utf8 else SMTP)
    # Duplicate detection reads one line, but the library folds this header before an identifier of medium length.
    return Message(to_address, content.replace(b"Message-ID:\r\n ", b"Message-ID: ", 1), needs_utf8)


def _add_logo(message: EmailMessage, mail: Mail) -> None:
    """Embeds the logo in the message, so that mail programs neither load it nor show it as an attachment."""
    page = message.get_body(("html",))
    if page is not None and mail.logo is not None:
        page.add_related(
            mail.logo.content, "image", "png", cid=f"<{LOGO_ID}>", disposition="inline", filename="logo.png"
        )
        page.set_boundary(digest(f"{mail.message_id} logo".encode())[:32])


def mailable(email: str) -> str:
    """Returns the address for an envelope, in ASCII if possible; its domain always is. Raises `MailRejected`."""
    try:
        address = validate_email(email, check_deliverability=False, globally_deliverable=False, allow_smtputf8=True)
    except EmailNotValidError as error:
        raise MailRejected("this is not a valid email address") from error
    return address.ascii_email or f"{address.local_part}@{address.ascii_domain}"


def _address(address: str, name: str = "") -> Address:
    username, _, domain = address.rpartition("@")
    return Address(_one_line(name), username, domain)


def _one_line(text: str) -> str:
    """Returns `text` as one line of visible characters without encoded words (RFC 2047)."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line.replace("=?", "= ?")
