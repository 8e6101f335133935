"""Makes a mail from an envelope and a template. `adapters.mail.mime` writes the headers."""

from datetime import datetime
from typing import NamedTuple

from application.mails.render_mail import Facts, render_mail
from domain.shared.languages import ENGLISH
from ports.mail import Mail
from ports.sender_identity import NO_IDENTITY, SenderIdentity


class MailEnvelope(NamedTuple):
    """The sender and the recipient of a mail, from an organisation with an identity. The mail is in `language`."""

    message_id: str
    to_name: str
    to_email: str
    organisation: str
    sent_at: datetime
    reply_to: str | None = None
    unsubscribe: str | None = None
    identity: SenderIdentity = NO_IDENTITY
    language: str = ENGLISH


def make_mail(kind: str, facts: Facts, envelope: MailEnvelope) -> Mail:
    """Returns the mail of template `kind`, rendered with `facts`."""
    letter = render_mail(kind, facts, envelope.language)
    return Mail(
        message_id=envelope.message_id,
        to_name=envelope.to_name,
        to_email=envelope.to_email,
        from_name=f"{envelope.identity.sender_name or envelope.organisation} via Undersign",
        subject=letter.subject,
        text=letter.text(envelope.organisation, envelope.identity),
        html=letter.html(envelope.organisation, envelope.identity),
        sent_at=envelope.sent_at,
        reply_to=envelope.reply_to,
        unsubscribe=envelope.unsubscribe,
        logo=envelope.identity.logo,
        language=envelope.language if envelope.language != ENGLISH else None,
    )
