"""No request stops the service: every route is sent the largest requests of mistakes that it takes.

New routes are among them by themselves. Time is compared with a fixed piece of work of the same process.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest

pytestmark = pytest.mark.exhaustive
MOST_UNITS = 20
MOST_BYTES = 200 * 1024**2
"""Maximum growth of the process by one request."""


PROCESSES = 3
"""Several at once, as half of the time is spent waiting: wrong links are answered after a fixed time."""

Measured = list[tuple[str, int, float, int]]


@pytest.fixture(scope="module")
def measured() -> Measured:
    def run(first: int) -> Measured:
        program = [sys.executable, "-m", "tests.api.hostile_requests", f"{first}", f"{PROCESSES}"]
        done = subprocess.run(program, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
        found: Measured = json.loads(done.stdout)
        return found

    with ThreadPoolExecutor() as threads:
        return list(chain.from_iterable(threads.map(run, range(PROCESSES))))


def test_no_request_takes_long(measured: Measured) -> None:
    assert [(name, units) for name, _, units, _ in measured if units > MOST_UNITS] == []


def test_no_request_takes_much_memory(measured: Measured) -> None:
    assert [(name, grown) for name, *_, grown in measured if grown > MOST_BYTES] == []


def test_no_request_causes_an_internal_error(measured: Measured) -> None:
    assert [(name, status) for name, status, *_ in measured if status == 500] == []


def test_bodies_are_looked_at_by_those_who_may_send_them(measured: Measured) -> None:
    """Else the walk would measure how fast 401 is."""
    refused = {name.partition(" (")[0] for name, status, *_ in measured if status in {400, 413}}

    assert len(refused) > 40
    unauthorised = {name for name, status, *_ in measured if status == 401 and " /api/" in name}
    assert all("Authorization" in name for name in unauthorised)
