"""No request stops the service: every route is sent the largest requests of mistakes that it takes.

New routes are among them by themselves. Time is compared with a fixed piece of work of the same process.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.exhaustive
MOST_UNITS = 20
MOST_BYTES = 200 * 1024**2
"""Maximum growth of the process by one request."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-m", "tests.api.hostile_requests"], capture_output=True, check=False, text=True
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_no_request_takes_long(measured: dict[str, Any]) -> None:
    most = MOST_UNITS * measured["unit"]
    assert [(name, seconds) for name, _, seconds, _ in measured["took"] if seconds > most] == []


def test_no_request_takes_much_memory(measured: dict[str, Any]) -> None:
    assert [(name, grown) for name, *_, grown in measured["took"] if grown > MOST_BYTES] == []


def test_no_request_causes_an_internal_error(measured: dict[str, Any]) -> None:
    assert [(name, status) for name, status, *_ in measured["took"] if status == 500] == []


def test_bodies_are_looked_at_by_those_who_may_send_them(measured: dict[str, Any]) -> None:
    """Else the walk would measure how fast 401 is."""
    refused = {name.partition(" (")[0] for name, status, *_ in measured["took"] if status in {400, 413}}

    assert len(refused) > 40
    assert [
        name
        for name, status, *_ in measured["took"]
        if status == 401 and " /api/" in name and "Authorization" not in name
    ] == []
