"""Real Temporal servers of a test's own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import WorkflowEnvironment

from tests.programs import program
from workflows.client.namespace_check import ensure_search_attributes
from workflows.session.ui_details import SEARCH_ATTRIBUTES

CONTINUE_EARLY = "limit.historyCount.suggestContinueAsNew=50"


async def patiently(start: Callable[[], Awaitable[WorkflowEnvironment]]) -> WorkflowEnvironment:
    """Starts the server. The SDK gives it five seconds, which are too few on a busy machine."""
    for _ in range(9):
        try:
            return await start()
        except RuntimeError as error:
            if "did not start within" not in str(error):
                raise
    return await start()


@asynccontextmanager
async def time_skipping_server() -> AsyncIterator[WorkflowEnvironment]:
    """A server whose clock can be moved. It stands while a session waits for a worker."""
    server = program("temporal-test-server")
    start = partial(
        WorkflowEnvironment.start_time_skipping,
        test_server_existing_path=server,
        data_converter=pydantic_data_converter,
    )
    async with await patiently(start) as environment:
        await ensure_search_attributes(environment.client)
        yield environment


@asynccontextmanager
async def dev_server(*settings: str, file: Path | None = None) -> AsyncIterator[WorkflowEnvironment]:
    """The server of installations, with changed dynamic settings and its histories in `file`."""
    start = partial(
        WorkflowEnvironment.start_local,
        dev_server_existing_path=program("temporal"),
        dev_server_log_level="error",
        dev_server_database_filename=str(file) if file else None,
        dev_server_extra_args=[word for setting in settings for word in ("--dynamic-config-value", setting)],
        search_attributes=list(SEARCH_ATTRIBUTES),
        data_converter=pydantic_data_converter,
    )
    async with await patiently(start) as environment:
        yield environment
