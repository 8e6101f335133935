"""Real Temporal servers of a test's own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import WorkflowEnvironment

from tests.conftest import BINARIES
from workflows import search_attributes

CONTINUE_EARLY = "limit.historyCount.suggestContinueAsNew=50"


@asynccontextmanager
async def time_skipping_server() -> AsyncIterator[WorkflowEnvironment]:
    """A server whose clock can be moved. It is one for all its sessions, and stands while any waits for a worker."""
    server = str(BINARIES / "temporal-test-server")
    async with await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=server, data_converter=pydantic_data_converter
    ) as environment:
        await search_attributes.ensure_registered(environment.client)
        yield environment


@asynccontextmanager
async def dev_server(*settings: str) -> AsyncIterator[WorkflowEnvironment]:
    """The server that installations run, with some of its dynamic settings changed."""
    async with await WorkflowEnvironment.start_local(
        dev_server_existing_path=str(BINARIES / "temporal"),
        dev_server_log_level="error",
        dev_server_extra_args=[word for setting in settings for word in ("--dynamic-config-value", setting)],
        search_attributes=list(search_attributes.ALL),
        data_converter=pydantic_data_converter,
    ) as environment:
        yield environment
