"""Real Temporal servers, and a worker with fake effects."""

from collections.abc import AsyncIterator

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.temporal.dev_server import TUNING
from domain.session.session import Session
from tests.builders import recipient
from tests.workflows.servers import dev_server, time_skipping_server
from tests.workflows.stage import Stage, set_clean_stage, set_stage


@pytest.fixture(scope="session")
async def environment() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server(*TUNING) as environment:
        yield environment


@pytest.fixture
async def stage(environment: WorkflowEnvironment) -> AsyncIterator[Stage]:
    async with set_clean_stage(environment.client) as stage:
        yield stage


@pytest.fixture
async def timed_stage() -> AsyncIterator[Stage]:
    """On a server whose time can be skipped."""
    async with time_skipping_server() as environment, set_stage(environment.client, environment.sleep) as stage:
        yield stage


@pytest.fixture
async def session(stage: Stage) -> Session:
    """A session to which Ada is invited."""
    return await stage.send(recipient("ada"))
