"""Edits of a session by the organisation before all have signed (Specification 3.7).

A draft is edited, the recipient of an open session is corrected or reminded, and its expiry and reminders are changed.
Each function raises an error with the reason, or returns a `Transition`, which has no events if nothing changes.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic.alias_generators import to_camel

from domain.audit.events import AuditContext, Details, EventType
from domain.session.error_messages import NO_EMAILS, not_active, not_editable
from domain.session.outcome_mail_recipients import replacement_mails
from domain.session.recipients import ACTIVE, HOUR, OPEN, Recipient
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session, Transition
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared import errors
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId
from domain.shared.times import rfc3339, to_milliseconds

_SIGNED = "This recipient has signed or declined; only one who has not finished can be corrected."
_DRAFT = "The session is a draft; use Update Session to change its recipients, expiry and reminders."
_NOT_INVITED = "This recipient has finished, or others sign first; only recipients whose turn it is can be reminded."
_UNREACHABLE = "The mail server rejected the invitation. Correct the recipient's address, or send another invitation."
_REMINDED = "This recipient was emailed or reminded within the last hour; try again an hour later."


class Correction(FrozenModel):
    """The corrected name and address of a recipient; None: unchanged."""

    name: str | None = None
    email: str | None = None


class Expiry(FrozenModel):
    """Days from sending to expiry; None: the session never expires."""

    days: int | None


class ScheduleChange(FrozenModel):
    """A change of expiry and reminders. None leaves a member as it is."""

    expiry: Expiry | None = None
    reminder_enabled: bool | None = None
    reminder_frequency: ReminderFrequency | None = None


def edit_draft(session: Session, values: Mapping[str, object], audit: AuditContext) -> Transition:
    """Changes members of a draft. The event names them without their values. Raises `NotADraft`."""
    session.check_exists()
    if session.status is not SessionStatus.DRAFT:
        raise not_editable(session)
    changed = {name: value for name, value in values.items() if getattr(session, name) != value}
    if not changed:
        return Transition(session)
    edited = session.model_copy(update={**changed, "updated_at": to_milliseconds(audit.at)})
    details = {"changed": ", ".join(map(to_camel, sorted(changed)))}
    return Transition(edited).record(EventType.SESSION_EDITED, audit, details)


def correct_recipient(
    session: Session, recipient_id: RecipientId, right: Correction, audit: AuditContext
) -> Transition:
    """Corrects name and address of a recipient who has not signed. The event holds the new and the earlier values.

    A new address invalidates the link. If the recipient was invited, the new address is invited and the earlier one is
    notified, unless another recipient of the session has it.

    Raises `SessionNotActive`, `RecipientNotActive`, or `TooOften` after `MAX_PER_HOUR` invitations within an hour.
    """
    before = _open_recipient(session, recipient_id, audit.at)
    name, email = right.name or before.name, right.email or before.email
    if before.status not in OPEN:
        raise errors.RecipientNotActive(_SIGNED)
    if (name, email) == (before.name, before.email):
        return Transition(session)
    is_moved, is_invited = email != before.email, before.status in ACTIVE
    if is_moved and is_invited:
        before.check_may_be_invited(audit.at)
    after = before.readdressed(name, email) if is_moved else before.model_copy(update={"name": name})
    details = {
        "recipientId": recipient_id,
        "previousName": before.name,
        "name": name,
        "previousEmail": before.email,
        "email": email,
    }
    changed = session.changed_at(audit).with_recipient(after)
    step = Transition(changed).record(EventType.RECIPIENT_CORRECTED, audit, details)
    if not is_moved:
        return step
    step = step._replace(session=without_replacement_mails(step.session, after))
    if before.is_notified:
        step = step.notify(replacement_mails(step.session, recipient_id, before.name, before.email))
    return step.invite(after, audit.by_system()) if is_invited else step


def remind_recipient(session: Session, recipient_id: RecipientId, audit: AuditContext) -> Transition:
    """Reminds one active recipient now, with the same link.

    Raises `SessionNotActive`, `RecipientNotActive`, or `TooOften` while an email is pending or within an hour of
    another reminder.
    """
    recipient = _open_recipient(session, recipient_id, audit.at)
    _check_reminder(recipient, audit.at)
    number = recipient.reminders + 1
    at = to_milliseconds(audit.at)
    reminded = session.changed_at(audit).with_recipient(recipient, reminders=number, reminded_at=at)
    details: Details = {"recipientId": recipient_id, "reminder": number}
    return Transition(reminded).record(EventType.RECIPIENT_REMINDED, audit, details)


def find_remindable(session: Session, at: datetime) -> tuple[Recipient, ...]:
    """Returns the recipients who can be reminded at that time.

    If there is none, raises the error of a recipient whose turn it is, as `remind_recipient`.
    """
    _check_open(session, at)
    refusal: errors.SigningError = errors.RecipientNotActive(_NOT_INVITED)
    found = []
    for recipient in session.recipients:
        try:
            _check_reminder(recipient, at)
            found.append(recipient)
        except (errors.RecipientNotActive, errors.TooOften) as error:
            refusal = error if recipient.status in ACTIVE else refusal
    if not found:
        raise refusal
    return tuple(found)


def reschedule(session: Session, change: ScheduleChange, audit: AuditContext) -> Transition:
    """Moves the expiry of an open session to a later time or removes it, and changes its reminders.

    Raises `SessionNotActive` or `ExpiryNotLater`.
    """
    _check_open(session, audit.at)
    days = change.expiry.days if change.expiry else session.expiry_days
    expires_at = _expires_at(session, days) if days != session.expiry_days else session.expires_at
    changes = {
        "expiry_days": days,
        "expires_at": expires_at,
        "reminder_enabled": session.reminder_enabled if change.reminder_enabled is None else change.reminder_enabled,
        "reminder_frequency": change.reminder_frequency or session.reminder_frequency,
    }
    changed = session.model_copy(update=changes)
    if changed == session:
        return Transition(session)
    details: Details = {
        "previousExpiryDate": _time(session.expires_at),
        "expiryDate": _time(expires_at),
        "previousReminders": _reminders(session),
        "reminders": _reminders(changed),
    }
    step = Transition(changed.changed_at(audit).with_next_reminder(to_milliseconds(audit.at)))
    return step.record(EventType.SESSION_RESCHEDULED, audit, details)


def _expires_at(session: Session, days: int | None) -> datetime | None:
    """Returns the new expiry. Raises `ExpiryNotLater` for an earlier one: recipients rely on their invitation."""
    if days is None or session.sent_at is None:
        return None
    expires_at = session.sent_at + timedelta(days=days)
    if session.expires_at is None or expires_at < session.expires_at:
        raise errors.ExpiryNotLater
    return expires_at


def _open_recipient(session: Session, recipient_id: RecipientId, at: datetime) -> Recipient:
    session.check_exists()
    recipient = session.recipient(recipient_id)
    _check_open(session, at)
    return recipient


def _check_open(session: Session, at: datetime) -> None:
    session.check_exists()
    if session.status is SessionStatus.DRAFT:
        raise errors.SessionNotActive(_DRAFT)
    if session.status not in OPEN_FOR_SIGNING or session.has_expired(at):
        raise not_active(session, at)


def _check_reminder(recipient: Recipient, at: datetime) -> None:
    if recipient.status not in ACTIVE:
        raise errors.RecipientNotActive(_NOT_INVITED)
    if not recipient.gets_emails:
        raise errors.RecipientNotActive(NO_EMAILS)
    if recipient.is_unreachable:
        raise errors.RecipientNotActive(_UNREACHABLE)
    lately = recipient.reminded_at is not None and recipient.reminded_at > at - HOUR
    if lately or not recipient.can_be_reminded:
        raise errors.TooOften(_REMINDED)


def without_replacement_mails(session: Session, recipient: Recipient) -> Session:
    """Returns the session without pending mails to the current address of `recipient` that say that it was replaced."""
    kept = (
        m for m in session.outcome_mails if (m.recipient_id, m.to_email) != (recipient.recipient_id, recipient.email)
    )
    return session.model_copy(update={"outcome_mails": tuple(kept)})


def _time(at: datetime | None) -> str | None:
    return None if at is None else rfc3339(at)


def _reminders(session: Session) -> str:
    return session.reminder_frequency.value if session.reminder_enabled else "off"
