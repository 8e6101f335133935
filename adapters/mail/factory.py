"""Chooses how mail leaves."""

from pathlib import Path

from adapters.mail.file_mailer import FileMailer
from adapters.mail.smtp import SmtpMailer
from adapters.mail.smtp_url import SmtpServer
from ports.mail import Mailer


def open_mailer(smtp_url: str | None, outbox: Path, from_address: str) -> Mailer:
    """By the server at `smtp_url`; with none, into the folder `outbox`. Raises `SmtpUrlInvalid`."""
    if smtp_url is None:
        return FileMailer(outbox, from_address)
    return SmtpMailer(SmtpServer.at(smtp_url), from_address)
