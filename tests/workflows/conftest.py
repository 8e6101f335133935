"""Real Temporal servers, and a worker with fake effects."""

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment

from adapters.temporal.dev_server import TUNING
from domain.workflow_ids import erasure_id, session_workflow_id
from tests.workflows.servers import dev_server, time_skipping_server
from tests.workflows.stage import Stage, set_stage


@pytest.fixture(scope="session")
async def environment() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server(*TUNING) as environment:
        yield environment


@pytest.fixture
async def stage(environment: WorkflowEnvironment) -> AsyncIterator[Stage]:
    """On a server that tests share: the runs that a test leaves are ended, so that no other test works on them."""
    async with set_stage(environment.client) as stage:
        yield stage
        left = [*stage.effects.rows.held, *stage.effects.buried]
    for workflow_id in (name(session_id) for session_id in left for name in (session_workflow_id, erasure_id)):
        with suppress(RPCError):
            await environment.client.get_workflow_handle(workflow_id).terminate()


@pytest.fixture
async def timed_stage() -> AsyncIterator[Stage]:
    """On a server of its own whose time can be skipped."""
    async with time_skipping_server() as environment, set_stage(environment.client, environment.sleep) as stage:
        yield stage
