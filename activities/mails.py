"""Every kind of mail, from what it is about. The same request makes the same mail, byte for byte, on every try."""

from datetime import datetime
from typing import NamedTuple

from activities.interface import InvitationRequest, NoticeRequest, ReminderRequest
from activities.letters import Facts, in_words, write_letter
from adapters.mail.port import Mail


class Envelope(NamedTuple):
    """What stands around a letter. `organisation` is in whose name it is sent."""

    message_id: str
    to_name: str
    to_email: str
    organisation: str
    sent_at: datetime
    reply_to: str | None = None
    unsubscribe: str | None = None


def invitation_mail(request: InvitationRequest, address: str) -> Mail:
    """The mail with the signing link `address`."""
    link = request.link
    message_id = f"invitation.{link.session_id}.{link.recipient_id}.{link.invitation}@undersign"
    return _asking(request, address, message_id, request.invited_at)


def reminder_mail(request: ReminderRequest, address: str) -> Mail:
    """The invitation once more. It comes again and again, so it says whom to ask to make it stop."""
    link = request.link
    message_id = f"reminder.{link.session_id}.{link.recipient_id}.{request.reminder}@undersign"
    return _asking(request, address, message_id, request.due_at, unsubscribe=request.reply_to)


def notice_mail(request: NoticeRequest, address: str | None) -> Mail:
    """The mail about the end of a session. `address` shows a recipient their copy, of a session that is completed."""
    notice = request.notice
    to = notice.recipient_id or "sender"
    facts: Facts = {
        "name": request.to_name,
        "organisation": request.organisation_name,
        "session": request.session_name,
        "session_id": request.session_id,
        "is_sender": notice.recipient_id is None,
        "at": in_words(notice.at),
        "until": in_words(request.expires_at) if request.expires_at else None,
        "decliner": request.decliner,
        "quote": request.reason,
        "address": address,
    }
    envelope = Envelope(
        message_id=f"{notice.kind.value}.{request.session_id}.{to}.{notice.cause}@undersign",
        to_name=request.to_name,
        to_email=request.to_email,
        organisation=request.organisation_name,
        sent_at=notice.at,
        reply_to=request.reply_to,
    )
    return make_mail(notice.kind.value, facts, envelope)


def make_mail(kind: str, facts: Facts, envelope: Envelope) -> Mail:
    """The mail of that kind."""
    letter = write_letter(kind, facts)
    return Mail(
        message_id=envelope.message_id,
        to_name=envelope.to_name,
        to_email=envelope.to_email,
        from_name=f"{envelope.organisation} via Undersign",
        subject=letter.subject,
        text=letter.text(envelope.organisation),
        html=letter.html(envelope.organisation),
        sent_at=envelope.sent_at,
        reply_to=envelope.reply_to,
        unsubscribe=envelope.unsubscribe,
    )


def _asking(
    request: InvitationRequest, address: str, message_id: str, sent_at: datetime, unsubscribe: str | None = None
) -> Mail:
    facts: Facts = {
        "name": request.recipient_name,
        "organisation": request.organisation_name,
        "session": request.session_name,
        "is_reminder": isinstance(request, ReminderRequest),
        "expires": in_words(request.expires_at) if request.expires_at else None,
        "quote": request.message,
        "address": address,
    }
    envelope = Envelope(
        message_id=message_id,
        to_name=request.recipient_name,
        to_email=request.recipient_email,
        organisation=request.organisation_name,
        sent_at=sent_at,
        reply_to=request.reply_to,
        unsubscribe=unsubscribe,
    )
    return make_mail("invitation", facts, envelope)
