"""Times: UTC with milliseconds (Specification 10.2), and calendar dates in time zones."""

import datetime as dt
from datetime import UTC, datetime, timedelta

from domain.shared.frozen_model import FrozenModel


class LocalDate(FrozenModel):
    """A calendar date, with the time zone (IANA name) in which it applies."""

    date: dt.date
    time_zone: str

    @staticmethod
    def in_utc(at: datetime) -> "LocalDate":
        """Returns the date of `at` in UTC."""
        return LocalDate(date=at.astimezone(UTC).date(), time_zone="UTC")


class TimeZone(FrozenModel):
    """A time zone (IANA name), with its offset to UTC in minutes at one moment.

    The offset is stored because the rules of time zones change.
    """

    name: str
    minutes_ahead: int

    def date_of(self, at: datetime) -> LocalDate:
        """Returns the date of `at` in this time zone."""
        local = at.astimezone(UTC) + timedelta(minutes=self.minutes_ahead)
        return LocalDate(date=local.date(), time_zone=self.name)


def to_milliseconds(at: datetime) -> datetime:
    """Returns `at` in UTC, truncated to milliseconds, so that the shown time is the hashed one."""
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def rfc3339(at: datetime) -> str:
    """Returns the text form of a time: `2026-06-12T10:30:00.000Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
