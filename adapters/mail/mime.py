"""Mails as messages (RFC 5322). Names and subjects cannot inject headers; every attempt produces the same bytes."""

from dataclasses import dataclass
from datetime import UTC
from email.header import Header
from email.message import Message as MimeMessage
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import format_datetime, formataddr
from email.utils import quote as escape
from typing import Any
from urllib.parse import quote

from domain.ports.mail import LOGO_ID, Mail, MailRejected
from domain.shared.email_addresses import EmailNotValidError, validate_email
from domain.shared.object_names import digest
from domain.shared.white_space import collapse_spaces
from domain.texts.languages import TAGS

_KEPT = "\u00a0\u2007\u202f\u200c"
"""No-break spaces and the zero-width non-joiner, which Python does not count as printable.

Persian is written with the non-joiner, and links in texts of others are broken by it.
"""

_POLICY = compat32.clone(linesep="\r\n", max_line_length=76)

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
    message: Any = _alternatives(mail)  # its stubs know no `Header` as a value
    message["Message-ID"] = f"<{mail.message_id}>"
    message["Date"] = format_datetime(mail.sent_at.astimezone(UTC))
    message["From"] = _address(from_address, mail.from_name)
    message["To"] = _address(to_address, mail.to_name)
    if mail.reply_to:
        message["Reply-To"] = _address(mailable(mail.reply_to))
    message["Subject"] = _encoded(_one_line(mail.subject), "Subject")
    message["Auto-Submitted"] = "auto-generated"
    unsubscribe = f"<mailto:{quote(mailable(mail.unsubscribe), safe='@')}?subject=Stop>" if mail.unsubscribe else ""
    if 0 < len(unsubscribe) <= MAX_UNFOLDED:
        message["List-Unsubscribe"] = unsubscribe
    if mail.language:
        message["Content-Language"] = TAGS.get(mail.language, mail.language)
    # Duplicate detection reads one line, but the library folds this header before an identifier of medium length.
    content = message.as_bytes(policy=_POLICY).replace(b"Message-ID: \r\n ", b"Message-ID: ", 1)
    return Message(to_address, content, needs_utf8=not to_address.isascii())


def _alternatives(mail: Mail) -> MimeMessage:
    """Returns the text and the HTML of a mail. The HTML embeds the logo, so that mail programs do not load it."""
    page: MimeMessage = MIMEText(mail.html, "html", "utf-8")
    if mail.logo:
        logo = MIMEImage(mail.logo.content, "png")
        logo["Content-ID"] = f"<{LOGO_ID}>"
        logo.add_header("Content-Disposition", "inline", filename="logo.png")
        page = MIMEMultipart("related", digest(f"{mail.message_id} logo".encode())[:32], [page, logo])
    text = MIMEText(mail.text, "plain", "utf-8")
    return MIMEMultipart("alternative", digest(mail.message_id.encode())[:32], [text, page])


def mailable(email: str) -> str:
    """Returns the address for an envelope, in ASCII if possible; its domain always is. Raises `MailRejected`."""
    try:
        address = validate_email(email, check_deliverability=False, globally_deliverable=False, allow_smtputf8=True)
    except EmailNotValidError as error:
        raise MailRejected("this is not a valid email address") from error
    return address.ascii_email or f"{address.local_part}@{address.ascii_domain}"


def _address(address: str, name: str = "") -> str | Header:
    """Returns a name and an address as the value of a header. Headers for SMTPUTF8 are UTF-8 (RFC 6532, 3.2)."""
    name = _one_line(name)
    if not address.isascii():
        written = f'"{escape(name)}" <{address}>' if name else address
        return written.encode().decode("ascii", "surrogateescape")
    if name.isascii():
        return formataddr((name, address))
    value = _encoded(name, "Reply-To")  # the longest name of a header with an address
    value.append(f"<{address}>", "us-ascii")
    return value


def _encoded(text: str, header: str) -> Header:
    """Returns `text` as encoded words (RFC 2047) if it is not ASCII. Readers drop spaces between those, so none is."""
    return Header(text, "us-ascii" if text.isascii() else "utf-8", header_name=header)


def _one_line(text: str) -> str:
    """Returns `text` as one line of visible characters and spaces, without encoded words (RFC 2047)."""
    line = collapse_spaces(text)
    return "".join(character for character in line if character.isprintable() or character in _KEPT).replace(
        "=?", "= ?"
    )
