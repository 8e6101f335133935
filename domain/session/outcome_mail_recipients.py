"""The people who get a mail about the outcome of a session (Specification 6.4).

The mails are about the latest event of `session`, which the caller has recorded.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from domain.session.outcome_mail_kinds import CompletionMails, OutcomeMail, OutcomeMailKind
from domain.session.recipients import Delegation
from domain.session.snapshot import SessionSnapshot
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared.ids import RecipientId
from domain.shared.times import to_milliseconds

Mails = tuple[OutcomeMail, ...]
S = TypeVar("S", bound=SessionSnapshot)

_LATE = {SessionStatus.DECLINED: OutcomeMailKind.DECLINED, SessionStatus.EXPIRED: OutcomeMailKind.EXPIRED}
"""The mail to a recipient whose invitation was delivered after the session had ended."""


def signature_mails(session: SessionSnapshot, signer_id: RecipientId) -> Mails:
    """Returns the mails about a signature or an approval that completes nothing: to its signer, and to the user.

    The act that completes the session is confirmed by the mail about the signed documents. Signers get neither if
    `completion_mails` leaves them out.
    """
    mail = _about(session, OutcomeMailKind.SIGNED)
    is_confirmed = session.confirms_acts and session.completion_mails is CompletionMails.ALL
    signers = [signer_id] if is_confirmed and session.recipient(signer_id).gets_emails else []
    return (*_to_recipients(mail, signers), *_to_user(session, mail.model_copy(update={"signer_id": signer_id})))


def completion_mails(session: SessionSnapshot) -> Mails:
    """Returns the mails about stored signed documents: to recipients of copies, and to others by `completion_mails`."""
    setting, mail = session.completion_mails, _about(session, OutcomeMailKind.COMPLETED)
    people = (
        r.recipient_id for r in session.recipients if r.gets_emails and (r.gets_copy or setting is CompletionMails.ALL)
    )
    senders = () if setting is CompletionMails.NONE else _to_senders(session, mail)
    return (*_to_recipients(mail, people), *senders)


def decline_mails(session: SessionSnapshot, decliner_id: RecipientId) -> Mails:
    """Returns the mails about a decline: to the other recipients who know of the session, and to the sender."""
    mail = _about(session, OutcomeMailKind.DECLINED)
    others = (r.recipient_id for r in session.notified_recipients if r.recipient_id != decliner_id)
    return (*_to_recipients(mail, others), *_to_senders(session, mail))


def expiry_mails(session: SessionSnapshot) -> Mails:
    """Returns the mails about the expiry: to the recipients who know of the session, and to the sender."""
    mail = _about(session, OutcomeMailKind.EXPIRED)
    people = (r.recipient_id for r in session.notified_recipients)
    return (*_to_recipients(mail, people), *_to_senders(session, mail))


def withdrawal_mail_recipients(session: SessionSnapshot, at: datetime) -> tuple[RecipientId, ...]:
    """Returns the recipients who get a mail if the session is archived at `at`; none with such a mail pending."""
    if session.underlying_status not in OPEN_FOR_SIGNING:
        return ()
    pending = {mail.recipient_id for mail in session.outcome_mails if mail.kind is OutcomeMailKind.CANCELLED}
    return tuple(
        r.recipient_id for r in session.recipients if r.recipient_id not in pending and r.can_mail_withdrawal(at)
    )


def withdrawal_mails(session: SessionSnapshot, recipients: Iterable[RecipientId]) -> Mails:
    """Returns the mails to `recipients` about the archiving: `withdrawal_mail_recipients` of the session before it."""
    return _to_recipients(_about(session, OutcomeMailKind.CANCELLED), recipients)


def delegation_mails(session: SessionSnapshot, delegation: Delegation) -> Mails:
    """Returns the mails about a delegation: to the sender."""
    mail = _about(session, OutcomeMailKind.DELEGATED).model_copy(update={"delegation": delegation})
    return _to_senders(session, mail)


def replacement_mails(session: SessionSnapshot, recipient_id: RecipientId, name: str, email: str) -> Mails:
    """Returns the mail to an earlier address of a recipient; none if another recipient of the session has it."""
    if any(one.email == email for one in session.recipients):
        return ()
    changes = {"recipient_id": recipient_id, "to_name": name, "to_email": email}
    return (_about(session, OutcomeMailKind.REPLACED).model_copy(update=changes),)


def with_late_delivery(session: S, recipient_id: RecipientId, number: int, at: datetime) -> S:
    """Returns the session after delivery of invitation `number`, with a mail about the end if it has ended."""
    recipient = session.recipient(recipient_id)
    delivered = session.with_delivery(recipient_id, number)
    if session.status is SessionStatus.CANCELLED and session.previous_status in OPEN_FOR_SIGNING:
        if recipient_id not in withdrawal_mail_recipients(delivered, at):
            return delivered
        delivered = delivered.with_recipient(delivered.recipient(recipient_id), withdrawn_at=to_milliseconds(at))
        kind = OutcomeMailKind.CANCELLED
    elif session.underlying_status in _LATE and not recipient.is_notified:
        kind = _LATE[session.underlying_status]
    else:
        return delivered
    return delivered.with_outcome_mails(_to_recipients(_about(session, kind), [recipient_id]))


def _about(session: SessionSnapshot, kind: OutcomeMailKind) -> OutcomeMail:
    return OutcomeMail(kind=kind, cause=session.sequence, at=session.updated_at)


def _to_recipients(mail: OutcomeMail, people: Iterable[RecipientId]) -> Mails:
    return tuple(mail.model_copy(update={"recipient_id": recipient_id}) for recipient_id in people)


def _to_senders(session: SessionSnapshot, mail: OutcomeMail) -> Mails:
    """Returns the mails to the address of the sender, if there is one, and to the user who sent the session."""
    return (*((mail,) if session.sender_email else ()), *_to_user(session, mail))


def _to_user(session: SessionSnapshot, mail: OutcomeMail) -> Mails:
    return (mail.model_copy(update={"user_id": session.sent_by}),) if session.sent_by else ()
