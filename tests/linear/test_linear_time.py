"""The processor time of a text grows with its length and no faster, in every place where a text enters.

An adversarial text repeats a short unit. A text that costs less than `FLOOR` passes; for any other one, a quarter of it
is measured too. Quadratic work costs sixteen times as much for four times the text, linear work four times.
"""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.linear.places import PLACES, Work
from tests.linear.units import UNITS

LENGTH = 20_000
"""Characters of a text."""

FLOOR = 0.2
"""Seconds of processor time."""

MOST = 9
"""The most that four times the text may cost, in multiples."""

TRIES = 4
LETTERS = sorted(set("".join(UNITS)))
MADE = st.one_of(st.sampled_from(UNITS), st.text(st.sampled_from(LETTERS), min_size=1, max_size=5))
_MANY = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)


def seconds(work: Work, text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def check(work: Work, unit: str) -> None:
    long, short = (f"x{unit * (length // len(unit))}x" for length in (LENGTH, LENGTH // 4))
    found = []
    for _ in range(TRIES):
        found.append((seconds(work, long), seconds(work, short)))
        least_long, least_short = map(min, zip(*found, strict=True))
        if least_long < FLOOR or least_long < MOST * least_short:
            return
    raise AssertionError(f"{unit!r}: (all of it, a quarter) in seconds: {found}")


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    for work in PLACES.values():
        work("warm \u05d0 \u4e2d \u0915\u094d\u0937\u093f \u0e19\u0e49\u0e33 \U0001f469 https://a.b")


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_paragraphs_of_every_unit_take_linear_time(unit: str) -> None:
    check(PLACES["paragraph"], unit)


@_MANY
@pytest.mark.parametrize("place", PLACES)
@given(unit=MADE)
def test_texts_take_linear_time_wherever_they_enter(place: str, unit: str) -> None:
    check(PLACES[place], unit)
