"""Runs the main coroutine of a process, and maps its errors to one log line and an exit code."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

import structlog

from adapters.database.engine import describe_failure
from adapters.keys.secret_keys import KeysUnusable
from domain.ports.database import DatabaseUnavailable, MigrationDelayed
from domain.ports.object_store import ObjectStoreError
from domain.shared.errors import ConfigError

log = structlog.get_logger(__name__)


Loops = Callable[[], asyncio.AbstractEventLoop]


def run_process(work: Callable[[], Coroutine[Any, Any, None]], failure: str, loops: Loops | None = None) -> NoReturn:
    """Runs `work`, then ends the process: with 0, with the exit code that `work` raises, or with 1 for an error.

    An error whose message says how to fix it is logged as one line; any other as `failure`, with its traceback.
    `loops` creates the event loop; asyncio's own by default.
    """
    code = 1
    try:
        with asyncio.Runner(loop_factory=loops) as runner:
            runner.run(work())
        code = 0
    except SystemExit as stop:  # uvicorn raises it when its port is in use
        code = stop.code if isinstance(stop.code, int) else 1
    except ConfigError as error:
        for line in error.lines:
            log.error(line)  # noqa: TRY400  # as below
    except DatabaseUnavailable as error:
        log.error(_describe(error))  # noqa: TRY400  # as below
    except (KeysUnusable, ObjectStoreError) as error:
        log.error(str(error))  # noqa: TRY400  # the message says what to do; a traceback would hide it
    except (Exception, asyncio.CancelledError):  # a failed worker that does not stop raises CancelledError
        log.exception(failure)
    sys.stdout.flush()
    sys.stderr.flush()
    # Not a plain return: threads of the Temporal SDK can crash the interpreter during its shutdown.
    os._exit(code)


def _describe(error: DatabaseUnavailable) -> str:
    """Returns the message of the error, with advice if it contains none."""
    if isinstance(error, MigrationDelayed):
        return str(error)
    cause = f" ({describe_failure(error)})" if error.__cause__ else ""
    return (
        f"{error}{cause}. Check that the database at UNDERSIGN_DATABASE_URL runs and is reachable with its user and "
        "password, or check the disk of the data directory; then start again."
    )
