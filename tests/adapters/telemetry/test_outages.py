"""An outage is two log lines: its start and its end."""

from itertools import chain, repeat

import pytest
from structlog.testing import capture_logs

from adapters.telemetry import outages
from adapters.telemetry.outages import QUIET_SECONDS, OutageLog


def test_an_outage_is_logged_at_its_start_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    times = chain([10.0, 11.0], repeat(11 + QUIET_SECONDS))
    monkeypatch.setattr(outages, "monotonic", lambda: next(times))
    outage = OutageLog("database")

    with capture_logs() as logs:
        outage.add_success()
        outage.add_failure("connection refused")
        outage.add_failure("timeout")
        outage.add_success()
        outage.add_success()

    assert logs == [
        {"event": "a dependency fails", "dependency": "database", "reason": "connection refused", "log_level": "error"},
        {
            "event": "a dependency responds again",
            "dependency": "database",
            "seconds": 1 + QUIET_SECONDS,
            "log_level": "warning",
        },
    ]


def test_successes_between_failures_do_not_end_an_outage() -> None:
    outage = OutageLog("database")

    with capture_logs() as logs:
        for _ in range(3):
            outage.add_failure("no connection is free")
            outage.add_success()

    assert [line["event"] for line in logs] == ["a dependency fails"]
