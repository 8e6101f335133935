"""Mails about the outcome of a session whose address the mail server rejected: their event, and another attempt."""

from domain.audit.events import AuditContext, Details, EventType
from domain.session.error_messages import NO_REFUSED_MAIL
from domain.session.outcome_mail_kinds import OutcomeMail, OutcomeMailKind, RefusedMail
from domain.session.recipients import Recipient, within_an_hour
from domain.session.session import Session, Transition
from domain.session.status import OPEN_FOR_SIGNING
from domain.shared import errors
from domain.shared.ids import RecipientId
from domain.shared.times import to_milliseconds


def fail_outcome_mail(session: Session, mail: OutcomeMail, refusal: str, audit: AuditContext) -> Transition:
    """Records that the mail server permanently rejected a mail about the outcome.

    Only a mail to a recipient is an event, and can be sent again. Raises `NotDue`.
    """
    if session.is_erased or mail not in session.outcome_mails:
        raise errors.NotDue
    kept = session.without_outcome_mail(mail)
    if mail.recipient_id is None or mail.kind is OutcomeMailKind.REPLACED:
        return Transition(kept)
    refused = (*session.refused_mails, RefusedMail(mail=mail, refusal=refusal))
    details: Details = {"recipientId": mail.recipient_id, "mail": mail.kind.value, "reason": refusal}
    step = Transition(kept.changed_at(audit, refused_mails=refused))
    return step.record(EventType.RECIPIENT_INVITATION_FAILED, audit, details)


def recipients_of_refused_mails(session: Session) -> list[Recipient]:
    """Returns the recipients whose invitation, or mail about the outcome, was refused and can be sent again."""
    is_open = session.status in OPEN_FOR_SIGNING
    return [r for r in session.recipients if (is_open and r.is_unreachable) or session.refused_mail_of(r.recipient_id)]


def invite_again(
    session: Session, recipient_id: RecipientId, audit: AuditContext, to_email: str | None = None
) -> Transition:
    """Invites a recipient again, or sends the mail about the outcome again that was rejected for them.

    That mail goes to `to_email` if it is given. The address of the recipient stays: it is that of their signature.
    Raises the errors of `Session.invite`, and `RecipientNotActive` for a `to_email` without such a mail.
    """
    session.check_exists()
    recipient, refused = session.recipient(recipient_id), session.refused_mail_of(recipient_id)
    if refused is None and to_email is not None:
        raise errors.RecipientNotActive(NO_REFUSED_MAIL)
    if refused is None:
        return session.invite(recipient_id, audit)
    at, mail = to_milliseconds(audit.at), refused.mail
    recipient.check_may_be_invited(at)
    email = to_email or mail.to_email or recipient.email
    kept = tuple(one for one in session.refused_mails if one != refused)
    changed = session.changed_at(audit, refused_mails=kept).with_recipient(
        recipient, invited_at=(*within_an_hour(recipient.invited_at, at), at)
    )
    details: Details = {"recipientId": recipient_id, "mail": mail.kind.value, "email": email}
    step = Transition(changed).record(EventType.RECIPIENT_INVITED, audit, details)
    to = {"to_email": to_email, "to_name": recipient.name} if to_email else {}
    return step.notify([mail.model_copy(update={**to, "cause": step.session.sequence})])
