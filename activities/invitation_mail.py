"""The invitation as a mail: text and HTML from the same facts."""

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
    request, link = invitation.request, invitation.request.link
    facts = {
        "organisation": request.organisation_name,
        "session": request.session_name,
        "name": request.recipient_name,
        "message": request.message,
        "address": invitation.address,
    }
    return Mail(
        message_id=f"invitation.{link.session_id}.{link.recipient_id}.{link.invitation}@undersign",
        to_name=request.recipient_name,
        to_email=request.recipient_email,
        from_name=f"{request.organisation_name} via Undersign",
        subject=f"Please sign: {request.session_name}",
        text=_TEMPLATES.get_template("invitation.txt").render(facts),
        html=_TEMPLATES.get_template("invitation.html").render(facts),
        sent_at=request.invited_at,
    )
