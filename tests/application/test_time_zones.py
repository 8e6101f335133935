"""Names of time zones, and local dates."""

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.time_zones import is_time_zone, time_zone_at, time_zone_names
from domain.shared.times import LocalDate

moments = st.datetimes(datetime(2000, 1, 1), datetime(2099, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001  # bounds


@pytest.fixture(autouse=True, scope="module")
def _without_zones_of_the_machine() -> Iterator[None]:
    """Has Python read the package too, since a machine may have another version of the rules."""
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath(to=())
    ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath(to=before)
    ZoneInfo.clear_cache()


@given(st.sampled_from(sorted(time_zone_names())), moments)
def test_the_date_is_the_local_one(name: str, at: datetime) -> None:
    zone = time_zone_at(name, at)
    assert zone is not None

    day = zone.date_of(at)

    assert day == LocalDate(date=at.astimezone(ZoneInfo(name)).date(), time_zone=name)
    assert day == zone.model_validate_json(zone.model_dump_json()).date_of(at)


@pytest.mark.parametrize(
    ("name", "at", "day"),
    [
        ("Australia/Sydney", "2026-11-23T12:59:59Z", date(2026, 11, 23)),  # in summer eleven hours ahead
        ("Australia/Sydney", "2026-11-23T13:00:00Z", date(2026, 11, 24)),
        ("Australia/Sydney", "2026-06-22T13:59:59Z", date(2026, 6, 22)),  # in winter ten
        ("Australia/Sydney", "2026-06-22T14:00:00Z", date(2026, 6, 23)),
        ("America/Los_Angeles", "2026-01-01T07:59:59Z", date(2025, 12, 31)),
        ("Asia/Kathmandu", "2026-02-28T18:15:00Z", date(2026, 3, 1)),  # 5 hours 45 minutes ahead
        ("Pacific/Kiritimati", "2026-11-23T10:00:00Z", date(2026, 11, 24)),  # the first to have a day
        ("Etc/GMT+12", "2026-11-23T11:59:59Z", date(2026, 11, 22)),  # the last
        ("America/Havana", "2026-03-08T04:59:59Z", date(2026, 3, 7)),  # clocks go from 0:00 to 1:00
        ("America/Havana", "2026-03-08T05:00:00Z", date(2026, 3, 8)),
        ("UTC", "2026-11-23T23:59:59.999Z", date(2026, 11, 23)),
    ],
)
def test_days_begin_at_local_midnight(name: str, at: str, day: date) -> None:
    moment = datetime.fromisoformat(at)
    zone = time_zone_at(name, moment)

    assert zone is not None
    assert zone.date_of(moment) == LocalDate(date=day, time_zone=name)


@given(st.text(max_size=40))
@pytest.mark.parametrize(
    "near", ["", "/", "../", "Australia/", "Australia/Sydney/", "Etc/Unknown", "Factory", "+10:00"]
)
def test_only_listed_names_are_zones(near: str, text: str) -> None:
    for name in (near + text, near):
        assert is_time_zone(name) == (name in time_zone_names())
        assert (time_zone_at(name, datetime.now(UTC)) is None) == (name not in time_zone_names())


@pytest.mark.parametrize("name", ["utc", "australia/sydney", "Factory", "localtime", "posixrules", "tzdata.zi", "."])
def test_names_are_case_sensitive_and_special_files_are_no_zones(name: str) -> None:
    assert time_zone_at(name, datetime.now(UTC)) is None


@pytest.mark.parametrize("name", sorted(time_zone_names()))
def test_every_zone_is_a_whole_number_of_minutes_ahead(name: str) -> None:
    for year in range(2000, 2100, 9):
        at = datetime(year, 7, 1, tzinfo=UTC)
        zone = time_zone_at(name, at)
        assert zone is not None
        assert abs(zone.minutes_ahead) <= 14 * 60
