"""What every test needs: a clean end of the process, and no deadlines for generated examples."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests import programs

settings.register_profile("any-machine", deadline=None)  # how long an example takes says how busy the machine is
settings.load_profile("any-machine")

BINARIES = Path(sys.executable).parent
STORIES = "tests/end_to_end/"


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist ships no types
    """The tests of a file in one process, and all stories: what they have logged is read by the last of them."""

    def _split_scope(self, nodeid: str) -> str:
        return STORIES if nodeid.startswith(STORIES) else str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """How tests are shared out when they run in several processes."""
    return ByFile(config, log)


FOLDERS = {"tests/workflows/": "temporal"}
FIXTURES = {"postgres": "postgresql", "redis_address": "redis", "storage_server": "storage"}
"""What the tests of a folder need, and those that ask for a fixture; other tests are marked where they are."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by their folders and fixtures."""
    for item in items:
        asked = set(getattr(item, "fixturenames", ())) & FIXTURES.keys()
        within = [marker for folder, marker in FOLDERS.items() if item.nodeid.startswith(folder)]
        for marker in (*within, *(FIXTURES[name] for name in asked)):
            item.add_marker(marker)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test at once if a program that its markers name is missing."""
    programs.start_test(item)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leaves without the interpreter's own exit, in which the Temporal SDK can crash after all tests have passed."""
    status = getattr(config, "exit_status", None)
    if status is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.exit_status = int(exitstatus)  # type: ignore[attr-defined]
