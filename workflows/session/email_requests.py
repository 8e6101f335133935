"""The emails that a session requires, derived from its state. `domain.session` decides when a reminder is due."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from activities.interface import (
    EmailRequest,
    InvitationRequest,
    LinkRequest,
    OutcomeMailRequest,
    RecordAndSendRequest,
    ReminderRequest,
    send_invitation,
    send_outcome_mail,
    send_reminder,
)
from domain.session.outcome_mail_kinds import OutcomeMail, OutcomeMailKind
from domain.session.outcome_mail_recipients import replacement_mails, with_late_delivery
from domain.session.recipients import Recipient, RecipientRole, RecipientStatus
from domain.session.session import Session

ACTIVITIES: dict[str, Callable[[Any], Awaitable[None]]] = {
    "invitation": send_invitation,
    "reminder": send_reminder,
    "outcome_mail": send_outcome_mail,
}
"""The activity that sends an email, by its kind."""

_MAX_NAMED = 5
"""Maximum kinds of events that a summary names."""

_MAX_CHARACTERS = 400
"""Temporal's limit for a summary."""


def _link(session: Session, recipient: Recipient) -> LinkRequest:
    return LinkRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        recipient_id=recipient.recipient_id,
        invitation=recipient.invitation.number,
    )


def _invitation(session: Session, recipient: Recipient) -> InvitationRequest:
    parts = session.parts_of(recipient)
    return InvitationRequest(
        link=_link(session, recipient),
        organisation_name=session.organisation_name,
        session_name=session.name,
        message=session.message,
        recipient_name=recipient.name,
        recipient_email=recipient.email,
        invited_at=recipient.sent_at or session.updated_at,
        expires_at=session.expires_at,
        reply_to=session.reply_to,
        sender_name=session.sender.name if session.sender else None,
        role=recipient.role,
        delegation=recipient.delegation,
        language=session.language_of(recipient),
        part=(parts.index(recipient) + 1, len(parts)) if len(parts) > 1 and recipient in parts else None,
    )


def _notice(session: Session, notice: OutcomeMail) -> OutcomeMailRequest:
    declined = next((r for r in session.recipients if r.status is RecipientStatus.DECLINED), None)
    recipient = session.recipient(notice.recipient_id) if notice.recipient_id else None
    if notice.user_id:
        return _notice_of_user(session, notice, declined)
    is_archived = notice.kind is OutcomeMailKind.CANCELLED
    return OutcomeMailRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        organisation_name=session.organisation_name,
        session_name=session.name,
        notice=notice,
        to_name=notice.to_name or (recipient.name if recipient else session.organisation_name),
        to_email=notice.to_email or (recipient.email if recipient else session.sender_email or ""),
        link=_link(session, recipient) if recipient else None,
        decliner=declined.name if declined else None,
        reason=session.archive_reason if is_archived else _reason_of(declined) if not recipient else None,
        expires_at=session.expires_at,
        reply_to=session.reply_to if recipient else None,
        sender_name=session.sender.name if session.sender and recipient else None,
        role=recipient.role if recipient else RecipientRole.SIGNER,
        actor_role=declined.role if declined else RecipientRole.SIGNER,
        language=session.language_of(recipient) if recipient else None,
    )


def _notice_of_user(session: Session, notice: OutcomeMail, declined: Recipient | None) -> OutcomeMailRequest:
    signer = session.recipient(notice.signer_id) if notice.signer_id else None
    actor, people = signer or declined, [r for r in session.recipients if signer and not r.gets_copy]
    return OutcomeMailRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        organisation_name=session.organisation_name,
        session_name=session.name,
        notice=notice,
        to_name="",
        to_email="",
        decliner=declined.name if declined else None,
        reason=_reason_of(declined),
        expires_at=session.expires_at,
        also_to=None if signer else session.sender_email,
        signer=signer.name if signer else None,
        signed=sum(r.status is RecipientStatus.COMPLETED for r in people),
        signers=len(people),
        has_approvers=any(r.approves for r in people),
        actor_role=actor.role if actor else RecipientRole.SIGNER,
    )


def _reason_of(declined: Recipient | None) -> str | None:
    return declined.decline_reason if declined else None


def due_emails(session: Session) -> dict[str, EmailRequest]:
    """Returns the emails that the session requires and that were not sent, by a name that operators see."""
    due: dict[str, EmailRequest] = {}
    for recipient in session.recipients:
        if recipient.has_pending_invitation:
            due[f"invite {recipient.key} ({recipient.invitation.number})"] = _invitation(session, recipient)
        elif recipient.has_pending_reminder:
            invitation = _invitation(session, recipient)
            due[f"remind {recipient.key} ({recipient.reminders})"] = ReminderRequest(
                invitation=invitation, reminder=recipient.reminders, due_at=session.updated_at
            )
    for notice in session.due_outcome_mails:
        due[f"tell {_recipient_of(session, notice)} of event {notice.cause}: {notice.kind.value}"] = _notice(
            session, notice
        )
    return due


def _recipient_of(session: Session, notice: OutcomeMail) -> str:
    if notice.recipient_id:
        return session.recipient(notice.recipient_id).key
    return "the user who sent it" if notice.user_id else "the sender"


def sent(session: Session, email: EmailRequest, at: datetime) -> Session:
    """Returns the session after the email was sent at `at`.

    If the address was corrected while the invitation was being sent, a mail to the earlier address becomes due.
    """
    if isinstance(email, InvitationRequest):
        recipient_id, to = email.link.recipient_id, (email.recipient_name, email.recipient_email)
        if to[1] != session.recipient(recipient_id).email:
            return session.with_outcome_mails(replacement_mails(session, recipient_id, *to))
        return with_late_delivery(session, email.link.recipient_id, email.link.invitation, at)
    return email.sent(session)


def summary_of(request: RecordAndSendRequest) -> str:
    """Returns the summary of a record for the history: its events, and the emails to send."""
    happened = list(dict.fromkeys(event.type.value for event in request.events))
    named = f"{', '.join(happened[:_MAX_NAMED])}{' …' if len(happened) > _MAX_NAMED else ''}"
    done = [*request.emails, f"record {named or f'revision {request.revision}'}"]
    return capitalised("; ".join(done))[:_MAX_CHARACTERS]


def capitalised(name: str) -> str:
    return name[:1].upper() + name[1:]
