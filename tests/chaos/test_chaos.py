"""The short form of `make chaos`: some sessions of every kind while everything around them breaks."""

from pathlib import Path

import pytest

from tests.chaos.run import run

pytestmark = [pytest.mark.chaos, pytest.mark.installation]

SEED = 3
SESSIONS = 20
FAULT_SECONDS = 12.0


def test_every_promise_is_kept_while_everything_breaks(tmp_path: Path) -> None:
    report = run(tmp_path / "cluster", SEED, SESSIONS, FAULT_SECONDS)

    assert report.findings == [], "\n".join(report.lines())
    assert len(report.outcomes) == SESSIONS
    assert report.faulted > 0
