"""A real Temporal server whose time can be skipped, and a worker with fake effects."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from tests.conftest import BINARIES
from tests.fakes.effects import FakeEffects
from workflows import search_attributes
from workflows.client import TemporalSessions
from workflows.safe_updates import SafeUpdates
from workflows.signing_session import SigningSessionWorkflow


@dataclass(frozen=True)
class Stage:
    """Running sessions with the effects they have."""

    client: Client
    sessions: TemporalSessions
    effects: FakeEffects


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
    effects = FakeEffects()
    client = environment.client
    light = Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=[SigningSessionWorkflow],
        activities=[effects.record_session, effects.issue_link, effects.send_invitation, effects.erase_session],
        interceptors=[SafeUpdates()],
    )
    heavy = Worker(client, task_queue=DOCUMENTS_QUEUE, activities=[effects.generate_document])
    async with light, heavy:
        yield Stage(client, TemporalSessions(client), effects)
