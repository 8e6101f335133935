"""The processor time of a text grows with its length and no faster, in every place where a text enters.

An adversarial text repeats a short unit, or has as many different words as possible. A text that costs less than
`FLOOR` passes; for any other one, a quarter of it is measured too. Quadratic work costs sixteen times as much for four
times the text, linear work four times.
"""

import time
from functools import partial
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.linear.places import PLACES, Work
from tests.linear.requests import REQUESTS, parse_with
from tests.linear.units import SCRIPTS, SEPARATORS, UNITS

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


def repeated(unit: str) -> tuple[str, str]:
    """Returns a text of `unit`, and a quarter of it."""
    long, short = (f"x{unit * (length // len(unit))}x" for length in (LENGTH, LENGTH // 4))
    return long, short


def different(script: str, separator: str) -> tuple[str, str]:
    """Returns a text of random letters and marks, with a separator after some letters, and a quarter of it."""
    random = Random(script)  # noqa: S311  # no secret
    first, last, first_mark, last_mark = SCRIPTS[script]
    text = ""
    while len(text) < LENGTH:
        text += chr(random.randint(ord(first), ord(last)))
        if first_mark and random.random() < 0.5:
            text += chr(random.randint(ord(first_mark), ord(last_mark)))
        if random.random() < 0.5:
            text += separator
    return text, text[: LENGTH // 4]


def check(work: Work, long: str, short: str) -> None:
    found = []
    for _ in range(TRIES):
        found.append((seconds(work, long), seconds(work, short)))
        least_long, least_short = map(min, zip(*found, strict=True))
        if least_long < FLOOR or least_long < MOST * least_short:
            return
    raise AssertionError(f"{long[:20]!r}: (all of it, a quarter) in seconds: {found}")


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    for work in PLACES.values():
        work("warm \u05d0 \u4e2d \u0915\u094d\u0937\u093f \u0e19\u0e49\u0e33 \U0001f469 https://a.b")


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_paragraphs_of_every_unit_take_linear_time(unit: str) -> None:
    check(PLACES["paragraph"], *repeated(unit))


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("place", ["paragraph", "list", "report"])
def test_texts_of_different_words_take_linear_time(place: str, script: str, separator: str) -> None:
    check(PLACES[place], *different(script, separator))


@_MANY
@pytest.mark.parametrize("place", PLACES)
@given(unit=MADE)
def test_texts_take_linear_time_wherever_they_enter(place: str, unit: str) -> None:
    check(PLACES[place], *repeated(unit))


@_MANY
@pytest.mark.parametrize("model", REQUESTS)
@given(unit=MADE)
def test_every_member_of_every_request_takes_linear_time(model: str, unit: str) -> None:
    check(partial(parse_with, REQUESTS[model]), *repeated(unit))
