"""The requests to activities, made from the session as it is."""

from datetime import datetime

from activities.interface import (
    GenerateRequest,
    InvitationRequest,
    LinkRequest,
    NoticeRequest,
    RaiseRequest,
    ReminderRequest,
    Signatory,
)
from domain.notices import Notice
from domain.recipients import Recipient, RecipientStatus, RecipientVerification
from domain.session import Session, SessionFile
from domain.statements import Identified


def link_request(session: Session, recipient: Recipient) -> LinkRequest:
    """For the link of the recipient's latest invitation."""
    return LinkRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        recipient_id=recipient.recipient_id,
        invitation=recipient.invitation.number,
    )


def invitation_request(session: Session, recipient: Recipient) -> InvitationRequest:
    """For the email of the recipient's latest invitation."""
    return InvitationRequest(
        link=link_request(session, recipient),
        organisation_name=session.organisation_name,
        session_name=session.name,
        message=session.message,
        recipient_name=recipient.name,
        recipient_email=recipient.email,
        invited_at=recipient.sent_at or session.updated_at,
        expires_at=session.expires_at,
        reply_to=session.sender_email,
    )


def reminder_request(session: Session, recipient: Recipient, due_at: datetime) -> ReminderRequest:
    """For the mail of the recipient's latest reminder, with the link of the latest invitation."""
    return ReminderRequest(
        invitation=invitation_request(session, recipient), reminder=recipient.reminders, due_at=due_at
    )


def notice_request(session: Session, notice: Notice) -> NoticeRequest:
    """For one mail about the end of the session."""
    declined = next((r for r in session.recipients if r.status is RecipientStatus.DECLINED), None)
    recipient = session.recipient(notice.recipient_id) if notice.recipient_id else None
    return NoticeRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        organisation_name=session.organisation_name,
        session_name=session.name,
        notice=notice,
        to_name=recipient.name if recipient else session.organisation_name,
        to_email=recipient.email if recipient else session.sender_email or "",
        link=link_request(session, recipient) if recipient else None,
        decliner=declined.name if declined else None,
        reason=declined.decline_reason if declined and not recipient else None,
        expires_at=session.expires_at,
        reply_to=session.sender_email if recipient else None,
    )


def generate_request(session: Session, file: SessionFile) -> GenerateRequest:
    """For one signed PDF, with everybody who signed."""
    by_code = session.recipient_verification is RecipientVerification.EMAIL_CODE
    return GenerateRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        file=file,
        signatories=tuple(
            Signatory(
                key=r.key,
                name=r.name,
                email=r.email,
                identified_by=Identified.CODE if by_code else Identified.LINK,
                completed_at=r.completed_at,
                submission=r.submission,
            )
            for r in session.recipients
            if r.completed_at and r.submission
        ),
    )


def raise_request(session: Session, file: SessionFile) -> RaiseRequest:
    """For the seal of one signed PDF."""
    return RaiseRequest(organisation_id=session.organisation_id, session_id=session.session_id, file=file)
