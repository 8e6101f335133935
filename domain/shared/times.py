"""Times: always UTC, to the millisecond (Specification 10.2), and the calendar day that a time is in a time zone."""

import datetime as dt
from datetime import UTC, datetime, timedelta

from domain.shared.frozen_model import FrozenModel


class LocalDate(FrozenModel):
    """A calendar day, and the time zone in which it was that day (IANA name)."""

    date: dt.date
    time_zone: str

    @staticmethod
    def in_utc(at: datetime) -> "LocalDate":
        """The day of `at` in UTC."""
        return LocalDate(date=at.astimezone(UTC).date(), time_zone="UTC")


class TimeZone(FrozenModel):
    """A time zone (IANA name), and how many minutes its clocks were ahead of UTC at the moment that is meant.

    The difference is stored with the name, so that a day follows from stored values alone: rules of zones change, and
    machines have other versions of them.
    """

    name: str
    minutes_ahead: int

    def date_of(self, at: datetime) -> LocalDate:
        """The day of `at`."""
        local = at.astimezone(UTC) + timedelta(minutes=self.minutes_ahead)
        return LocalDate(date=local.date(), time_zone=self.name)


def to_milliseconds(at: datetime) -> datetime:
    """`at` in UTC, cut to whole milliseconds, so that what is shown is what was hashed."""
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def rfc3339(at: datetime) -> str:
    """The one text form of a time: `2026-06-12T10:30:00.000Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
