"""The schedule of reminders (Specification 6.4)."""

from calendar import monthrange
from datetime import datetime, timedelta

from domain.texts.described_enum import DescribedEnum


class ReminderFrequency(DescribedEnum):
    """Interval of reminders, counted from sending."""

    DAILY = "daily", "every day"
    WEEKLY = "weekly", "every 7 days"
    MONTHLY = "monthly", "every month, on the same or the last day"
    QUARTERLY = "quarterly", "every 3 months, on the same or the last day"


_DAYS = {ReminderFrequency.DAILY: 1, ReminderFrequency.WEEKLY: 7}
_MONTHS = {ReminderFrequency.MONTHLY: 1, ReminderFrequency.QUARTERLY: 3}


def next_reminder(
    sent_at: datetime, frequency: ReminderFrequency, after: datetime, expires_at: datetime | None = None
) -> datetime | None:
    """Returns the next reminder after `after` of a session sent at `sent_at`; None if it expires before that.

    Months keep the day of sending, or the last day of a shorter month: 31 January, 28 February, 31 March.
    """
    due = _next_on_schedule(sent_at, frequency, after)
    return None if expires_at is not None and due >= expires_at else due


def _next_on_schedule(sent_at: datetime, frequency: ReminderFrequency, after: datetime) -> datetime:
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
