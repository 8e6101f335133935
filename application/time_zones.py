"""Time zones by their IANA names.

Their rules come from the package `tzdata` alone, so that all machines of an installation agree.
"""

from datetime import datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import tzdata

from domain.shared.times import TimeZone

_PACKAGE = files(tzdata)
_PLACEHOLDER = "Factory"
"""The zone of a machine that is not configured."""


def is_time_zone(name: str) -> bool:
    """Whether that is the IANA name of a time zone, such as `Australia/Sydney`, in exactly these letters."""
    return name in time_zone_names()


def time_zone_at(name: str, at: datetime) -> TimeZone | None:
    """The zone of that IANA name as its clocks are at `at`; None if there is no such zone."""
    if not is_time_zone(name):
        return None
    offset = at.astimezone(_read(name)).utcoffset()
    return TimeZone(name=name, minutes_ahead=round(offset.total_seconds() / 60) if offset else 0)


@cache
def time_zone_names() -> frozenset[str]:
    """The IANA names of all time zones."""
    return frozenset(_PACKAGE.joinpath("zones").read_text("utf-8").split()) - {_PLACEHOLDER}


@cache
def _read(name: str) -> ZoneInfo:
    with _PACKAGE.joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, name)
