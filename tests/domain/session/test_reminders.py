"""Reminders fall due at fixed steps from the moment of sending; months are clamped to their last day."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.session.reminders import ReminderFrequency, next_reminder
from tests.builders import NOON

F = ReminderFrequency


def day(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}T09:30:00").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("frequency", "sent", "dates"),
    [
        (F.DAILY, "2026-02-27", ["2026-02-28", "2026-03-01", "2026-03-02"]),
        (F.WEEKLY, "2026-12-28", ["2027-01-04", "2027-01-11"]),
        (F.MONTHLY, "2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]),
        (F.MONTHLY, "2027-12-31", ["2028-01-31", "2028-02-29", "2028-03-31"]),
        (F.QUARTERLY, "2026-11-30", ["2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30"]),
    ],
)
def test_one_reminder_after_another(frequency: ReminderFrequency, sent: str, dates: list[str]) -> None:
    at, found = day(sent), []
    for _ in dates:
        at = next_reminder(day(sent), frequency, at)
        found.append(at)
    assert found == [day(date) for date in dates]


@pytest.mark.parametrize("frequency", list(F))
def test_a_reminder_is_always_later_and_none_is_left_out(frequency: ReminderFrequency) -> None:
    due = next_reminder(NOON, frequency, NOON)
    for _ in range(40):
        assert next_reminder(NOON, frequency, due - timedelta(milliseconds=1)) == due
        following = next_reminder(NOON, frequency, due)
        assert following > due
        due = following


def test_after_a_long_time_the_next_one_is_still_to_come() -> None:
    assert next_reminder(day("2026-01-01"), F.DAILY, day("2027-06-15") + timedelta(hours=3)) == day("2027-06-16")
    assert next_reminder(day("2026-01-31"), F.QUARTERLY, day("2027-06-15")) == day("2027-07-31")
