"""A final session is read and changed alike before and after Temporal drops its history."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from google.protobuf.duration_pb2 import Duration
from temporalio.api.workflowservice.v1 import RegisterNamespaceRequest
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.service import RPCError

from application.session_reader import SessionReader
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import AlreadyArchived, SessionNotFound
from domain.workflow_ids import session_workflow_id
from tests.builders import recipient
from tests.fakes.effects import FakeEffects
from tests.fakes.sessions import LINK_KEY
from tests.workflows.acts import ACT, RESTORE, declined_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, result_of, set_stage
from tests.workflows.waiting import eventually
from workflows.client.namespace_check import ensure_search_attributes

SHORT_RETENTION = ('system.namespaceMinRetentionLocal="1s"', 'history.retentionTimerJitterDuration="1s"')


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """In a namespace that keeps ended runs for a second."""
    async with dev_server(*SHORT_RETENTION) as environment:
        await environment.client.workflow_service.register_namespace(
            RegisterNamespaceRequest(namespace="brief", workflow_execution_retention_period=Duration(seconds=1))
        )
        brief = await eventually(lambda: connected(environment.client.service_client.config.target_host), bool)
        assert brief
        yield brief


async def connected(address: str) -> Client | None:
    """A client of the new namespace, as soon as the server knows it."""
    client = await Client.connect(address, namespace="brief", data_converter=pydantic_data_converter)
    try:
        await ensure_search_attributes(client)
        await client.count_workflows()
    except RPCError:
        return None
    return client


async def test_reads_and_acts_are_the_same_before_and_after_the_history_is_dropped(client: Client) -> None:
    effects = FakeEffects()
    async with set_stage(client, effects=effects) as stage:
        read = SessionReader(stage.sessions, effects.rows, LINK_KEY).get
        session = await stage.send(recipient("ada"))
        declined = await stage.sessions.act(session, declined_by("ada"))

        before = await read(session.organisation_id, session.session_id)
        closed = await result_of(stage, session)
        just_closed = await read(session.organisation_id, session.session_id)
        await eventually(lambda: is_dropped(client, session_workflow_id(session.session_id)), bool, tries=1200)
        long_after = await read(session.organisation_id, session.session_id)

        assert before.status is declined.status is SessionStatus.DECLINED
        assert closed == just_closed == long_after
        await archive_and_restore(stage, session, read)
        await stage.sessions.erase(session, ACT)
        with pytest.raises(SessionNotFound):
            await read(session.organisation_id, session.session_id)


async def archive_and_restore(stage: Stage, session: Session, read: Callable[..., Awaitable[Session]]) -> None:
    archived = await stage.sessions.act(session, ACT)
    assert await read(session.organisation_id, session.session_id) == archived
    with pytest.raises(AlreadyArchived):
        await stage.sessions.act(session, ACT)
    restored = await stage.sessions.act(session, RESTORE)
    assert restored.status is SessionStatus.DECLINED
    assert await read(session.organisation_id, session.session_id) == restored


async def is_dropped(client: Client, workflow_id: str) -> bool:
    try:
        await client.get_workflow_handle(workflow_id).describe()
    except RPCError:
        return True
    await asyncio.sleep(0.1)
    return False
