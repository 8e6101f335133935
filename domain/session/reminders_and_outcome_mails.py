"""The schedule of reminders, and mails about the outcome of a session (Specification 6.4)."""

from calendar import monthrange
from datetime import datetime, timedelta
from enum import StrEnum

from domain.session.recipients import Delegation
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import RecipientId, UserId


class ReminderFrequency(StrEnum):
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"


_DAYS = {ReminderFrequency.DAILY: 1, ReminderFrequency.WEEKLY: 7}
_MONTHS = {ReminderFrequency.MONTHLY: 1, ReminderFrequency.QUARTERLY: 3}


def next_reminder(sent_at: datetime, frequency: ReminderFrequency, after: datetime) -> datetime:
    """Returns the first time after `after` on the schedule of a session sent at `sent_at`.

    Months keep the day of sending, or the last day of a shorter month: 31 January, 28 February, 31 March.
    """
    if frequency in _DAYS:
        step = timedelta(days=_DAYS[frequency])
        return sent_at + step * max(1, (after - sent_at) // step + 1)
    step_months = _MONTHS[frequency]
    months_since = (after.year - sent_at.year) * 12 + after.month - sent_at.month
    count = max(1, months_since // step_months)
    while _months_later(sent_at, count * step_months) <= after:
        count += 1
    return _months_later(sent_at, count * step_months)


def _months_later(at: datetime, months: int) -> datetime:
    years, month = divmod(at.month - 1 + months, 12)
    year, month = at.year + years, month + 1
    return at.replace(year=year, month=month, day=min(at.day, monthrange(year, month)[1]))


class OutcomeMailKind(StrEnum):
    SIGNED = "signed"  # a recipient signed, and others have not; for the user who sent the session
    COMPLETED = "completed"  # all have signed, and every signed PDF is stored
    DECLINED = "declined"  # a recipient declined
    EXPIRED = "expired"  # the expiry date passed before all had signed
    CANCELLED = "cancelled"  # the session was archived before all had signed
    DELEGATED = "delegated"  # a recipient passed their turn on to another person
    REPLACED = "replaced"  # to an earlier address of a recipient: the documents are for another one now


class CompletionMails(StrEnum):
    """The people who get a mail when the signed documents are ready."""

    ALL = "all"  # every recipient, and the sender
    SENDER = "sender"
    NONE = "none"


class OutcomeMail(FrozenModel):
    """A mail that is still to be sent. `cause` is the sequence number of its event, `at` the time of the event.

    It is for the recipient `recipient_id`, or the user `user_id`; without both, for the address of the sender.
    `to_name` and `to_email` are set if they are not those of the recipient any more. `signer_id` is the recipient who
    signed, and `delegation` the one that was made, if that is its cause.
    """

    kind: OutcomeMailKind
    cause: int
    at: datetime
    recipient_id: RecipientId | None = None
    to_name: str | None = None
    to_email: str | None = None
    user_id: UserId | None = None
    signer_id: RecipientId | None = None
    delegation: Delegation | None = omitted_default(None)

    @property
    def name(self) -> str:
        """The name of the mail, unique within the session."""
        return f"{self.kind.value} {self.recipient_id or self.user_id or 'sender'} {self.cause}"
