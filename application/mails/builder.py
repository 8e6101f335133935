"""Builds mails. The same facts and headers give the same mail, byte for byte."""

from datetime import datetime
from typing import NamedTuple

from application.mails.templates import Facts, render_mail
from ports.mail import Logo, Mail


class MailHeaders(NamedTuple):
    """The headers of a mail. `organisation` is the sender's display name."""

    message_id: str
    to_name: str
    to_email: str
    organisation: str
    sent_at: datetime
    reply_to: str | None = None
    unsubscribe: str | None = None
    logo: Logo | None = None


def make_mail(kind: str, facts: Facts, envelope: MailHeaders) -> Mail:
    """Returns the mail of template `kind`, rendered with `facts`."""
    letter = render_mail(kind, facts)
    return Mail(
        message_id=envelope.message_id,
        to_name=envelope.to_name,
        to_email=envelope.to_email,
        from_name=f"{envelope.organisation} via Undersign",
        subject=letter.subject,
        text=letter.text(envelope.organisation),
        html=letter.html(envelope.organisation, envelope.logo),
        sent_at=envelope.sent_at,
        reply_to=envelope.reply_to,
        unsubscribe=envelope.unsubscribe,
        logo=envelope.logo,
    )
