"""A real Temporal server whose time can be skipped, and a worker with fake effects."""

from collections.abc import AsyncIterator

import pytest
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import WorkflowEnvironment

from tests.conftest import BINARIES
from tests.workflows.stage import Stage, set_stage
from workflows import search_attributes


@pytest.fixture(scope="session")
async def environment() -> AsyncIterator[WorkflowEnvironment]:
    server = str(BINARIES / "temporal-test-server")
    async with await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=server, data_converter=pydantic_data_converter
    ) as environment:
        await search_attributes.ensure_registered(environment.client)
        yield environment


@pytest.fixture
async def stage(environment: WorkflowEnvironment) -> AsyncIterator[Stage]:
    async with set_stage(environment.client) as stage:
        yield stage
