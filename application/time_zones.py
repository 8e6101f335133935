"""Time zones by IANA name.

The rules come from the package `tzdata` only, so they are the same on all machines of an installation.
"""

from datetime import date, datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import tzdata

from domain.shared.times import TimeZone

_PACKAGE = files(tzdata)
_PLACEHOLDER = "Factory"
"""The zone of an unconfigured machine."""


def is_time_zone(name: str) -> bool:
    """Returns whether `name` is the IANA name of a time zone, such as `Australia/Sydney`. Case matters."""
    return name in time_zone_names()


def time_zone_at(name: str, at: datetime) -> TimeZone | None:
    """Returns the zone `name` with its offset from UTC at `at`; None if there is no such zone."""
    if not is_time_zone(name):
        return None
    offset = at.astimezone(_read(name)).utcoffset()
    return TimeZone(name=name, minutes_ahead=round(offset.total_seconds() / 60) if offset else 0)


def day_in(name: str, at: datetime) -> date:
    """Returns the calendar day at `at` in the time zone `name`."""
    return at.astimezone(_read(name)).date()


@cache
def time_zone_names() -> frozenset[str]:
    """Returns the IANA names of all time zones."""
    return frozenset(_PACKAGE.joinpath("zones").read_text("utf-8").split()) - {_PLACEHOLDER}


@cache
def _read(name: str) -> ZoneInfo:
    with _PACKAGE.joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, name)
