"""A real Temporal server whose time can be skipped, and a worker with fake effects."""

from collections.abc import AsyncIterator

import pytest
from temporalio.testing import WorkflowEnvironment

from tests.workflows.servers import time_skipping_server
from tests.workflows.stage import Stage, set_stage


@pytest.fixture(scope="session")
async def environment() -> AsyncIterator[WorkflowEnvironment]:
    async with time_skipping_server() as environment:
        yield environment


@pytest.fixture
async def stage(environment: WorkflowEnvironment) -> AsyncIterator[Stage]:
    async with set_stage(environment.client, environment.sleep) as stage:
        yield stage


@pytest.fixture
async def timed_stage() -> AsyncIterator[Stage]:
    """On a server of its own, for tests that let time pass."""
    async with time_skipping_server() as environment, set_stage(environment.client, environment.sleep) as stage:
        yield stage
