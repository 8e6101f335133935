"""Configuration of all tests: markers, units of parallel runs, the end of the process, generated examples."""

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling

from tests import programs

if TYPE_CHECKING:
    from tests.api.service import Service

gc.disable()  # until all tests are imported: everything that is imported stays

# How long an example takes says how busy the machine is. The same examples each time: no test depends on chance.
settings.register_profile("search", deadline=None)
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")

# By default structlog draws each traceback with all local variables, which takes seconds; the product never does.
structlog.configure(
    [structlog.stdlib.add_log_level, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
)

BINARIES = Path(sys.executable).parent

MOST_PROCESSES = 4

UNITS = (
    "tests/end_to_end/",
    "tests/api/v1/test_hostile_requests.py",
    "tests/browser/test_every_page.py",
    "tests/browser/",
    "tests/end_to_end/test_backups.py",
    "tests/chaos/",
    "tests/deploy/",
    "tests/end_to_end/operated/",
    "tests/foreign_pdfs/",
    "tests/browser/test_app.py",
)
"""Folders and files that `make integration` runs in one process each, the longest first. Other units are files."""

FOLDERS = {
    "tests/browser/": ("browser",),
    "tests/chaos/": ("chaos", "installation", "temporal"),
    "tests/deploy/": ("packaging",),
    "tests/end_to_end/": ("installation",),
    "tests/foreign_pdfs/": ("foreign_pdfs",),
    "tests/workflows/": ("temporal",),
}
FIXTURES = {
    "backends": "postgresql", "postgres": "postgresql", "redis_address": "redis", "storage_server": "storage",
}  # fmt: skip
"""Markers by folder and by fixture; other tests are marked where they are."""


@pytest.fixture
async def service() -> "Service":
    """The service on a database in memory and on fakes, with an organisation. Imported by the tests that need it."""
    from tests.api.service import Service  # noqa: PLC0415

    service = Service()
    await service.seed()
    return service


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by their folders and fixtures, and puts the largest units first."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ())) & FIXTURES.keys()
        within = [marker for folder in FOLDERS if item.nodeid.startswith(folder) for marker in FOLDERS[folder]]
        for marker in (*within, *(FIXTURES[name] for name in fixtures)):
            item.add_marker(marker)
    items.sort(key=lambda item: _rank_of(_unit_of(item.nodeid)))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Has the garbage collector leave out the tests, and run less often: it would take 6 % of the time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def _unit_of(nodeid: str) -> str:
    file = nodeid.partition("::")[0]
    return max((unit for unit in UNITS if file.startswith(unit)), key=len, default=file)


def _rank_of(unit: str) -> int:
    return UNITS.index(unit) if unit in UNITS else len(UNITS)


class UnitScheduling(LoadScopeScheduling):
    """Gives whole units to processes."""

    def _split_scope(self, nodeid: str) -> str:
        return _unit_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Returns the scheduler for `--dist loadscope`."""
    return UnitScheduling(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Returns how many processes `-n auto` starts: one more than there are cores, as tests wait a lot."""
    return min(len(os.sched_getaffinity(0)) + 1, MOST_PROCESSES)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test at once if a program that its markers name is missing."""
    programs.start_test(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    programs.end_test()


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
