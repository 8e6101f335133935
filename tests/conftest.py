"""What every test needs: a clean end of the process, and no deadlines for generated examples."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any-machine", deadline=None)  # how long an example takes says how busy the machine is
settings.load_profile("any-machine")

BINARIES = Path(sys.executable).parent


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
