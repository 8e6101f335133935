"""Invitations and reminders as mails: text and HTML from the same facts."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from activities.interface import InvitationRequest
from adapters.mail.port import Mail

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class SigningInvitation(NamedTuple):
    """An invitation and the address of its link."""

    request: InvitationRequest
    address: str


def invitation_mail(invitation: SigningInvitation) -> Mail:
    """The mail. Its Message-ID is the same on every try, so that it is delivered once."""
    link = invitation.request.link
    return _mail(
        invitation,
        message_id=f"invitation.{link.session_id}.{link.recipient_id}.{link.invitation}@undersign",
        sent_at=invitation.request.invited_at,
    )


def reminder_mail(invitation: SigningInvitation, number: int, due_at: datetime) -> Mail:
    """The invitation once more, as reminder `number`. Its Message-ID is the same on every try."""
    link = invitation.request.link
    message_id = f"reminder.{link.session_id}.{link.recipient_id}.{number}@undersign"
    return _mail(invitation, message_id=message_id, sent_at=due_at, is_reminder=True)


def _mail(invitation: SigningInvitation, *, message_id: str, sent_at: datetime, is_reminder: bool = False) -> Mail:
    request = invitation.request
    facts = {
        "is_reminder": is_reminder,
        "organisation": request.organisation_name,
        "session": request.session_name,
        "name": request.recipient_name,
        "message": request.message,
        "address": invitation.address,
        "expires": request.expires_at and in_words(request.expires_at),
    }
    return Mail(
        message_id=message_id,
        to_name=request.recipient_name,
        to_email=request.recipient_email,
        from_name=f"{request.organisation_name} via Undersign",
        subject=f"{'Reminder: please' if is_reminder else 'Please'} sign: {request.session_name}",
        text=_TEMPLATES.get_template("invitation.txt").render(facts),
        html=_TEMPLATES.get_template("invitation.html").render(facts),
        sent_at=sent_at,
    )


def in_words(time: datetime) -> str:
    """A moment as people read it: `3 January 2027, 09:05 UTC`."""
    utc = time.astimezone(UTC)
    return f"{utc.day} {utc:%B %Y, %H:%M} UTC"
