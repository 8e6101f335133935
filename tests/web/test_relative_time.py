from datetime import datetime, timedelta

import pytest

from tests.builders import NOON
from web.relative_time import relative_time


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-59), "just now"),
        (timedelta(minutes=-1), "1 min ago"),
        (timedelta(minutes=-59), "59 min ago"),
        (timedelta(hours=-3, minutes=-40), "3 h ago"),
        (timedelta(days=-1), "yesterday"),
        (timedelta(days=-6, hours=-23), "6 days ago"),
        (timedelta(minutes=5), "in 5 min"),
        (timedelta(hours=1), "in 1 h"),
        (timedelta(days=1), "tomorrow"),
        (timedelta(days=6), "in 6 days"),
    ],
)
def test_times_within_a_week_are_relative(apart: timedelta, said: str) -> None:
    assert relative_time(NOON + apart, NOON) == said


@pytest.mark.parametrize(
    ("at", "said"), [(NOON.replace(day=3), "3 Jun"), (NOON.replace(year=NOON.year - 1, day=3), "3 Jun 2025")]
)
def test_from_a_week_on_the_day_is_said(at: datetime, said: str) -> None:
    month = at.replace(month=6)
    assert relative_time(month, NOON.replace(month=9)) == said.replace("2025", str(month.year))
