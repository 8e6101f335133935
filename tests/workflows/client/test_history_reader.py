"""What is read of a session from the history of its run."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from temporalio import workflow
from temporalio.client import Client, Interceptor, OutboundInterceptor, StartWorkflowUpdateInput, WorkflowUpdateHandle
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment

from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.state import SessionStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from ports.database import DatabaseUnavailable
from ports.temporal import NotRunning
from tests.builders import created, identifier
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, opened_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, set_stage
from workflows.client import history_reader
from workflows.client.session_runs import TemporalRuns
from workflows.workflow_types import WORKFLOWS


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server() as environment:
        yield environment


@pytest.fixture
async def dev_stage(server: WorkflowEnvironment) -> AsyncIterator[Stage]:
    async with set_stage(server.client) as stage:
        yield stage


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_no_workflow_answers_queries_of_its_own(kind: type) -> None:
    definition = workflow._Definition.must_from_class(kind)

    assert [name for name in definition.queries if name and not name.startswith("__")] == []


async def held(stage: Stage, session: Session) -> Session:
    return await stage.runs.read_session(session.session_id)


async def test_an_answer_that_was_given_is_found(dev_stage: Stage) -> None:
    sent = await dev_stage.start(created(name=f"Agreement {uuid4()}"))
    assert (await held(dev_stage, sent)).status is SessionStatus.PENDING
    await invited(dev_stage, sent, 1)

    await dev_stage.sessions.view(sent, opened_by("ada"))

    assert (await held(dev_stage, sent)).recipients[0].status is RecipientStatus.VIEWED


async def test_a_session_is_read_when_no_worker_runs(server: WorkflowEnvironment) -> None:
    async with set_stage(server.client) as stage:
        session = await stage.start(created(name=f"Agreement {uuid4()}"))
        await invited(stage, session, 1)

    assert (await held(stage, session)).recipients[0].status is RecipientStatus.PENDING


async def test_what_could_not_be_recorded_is_found_all_the_same(server: WorkflowEnvironment) -> None:
    effects = FakeEffects()
    async with set_stage(server.client, effects=effects) as stage:
        session = await invited(stage, await stage.start(created(name=f"Agreement {uuid4()}")), 1)
        effects.failures["record_session"] = 1000
        with pytest.raises(DatabaseUnavailable):
            await stage.sessions.archive(session, ACT)

        assert (await held(stage, session)).status is SessionStatus.CANCELLED


async def test_a_long_history_is_read_page_by_page(dev_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await dev_stage.start(created(name=f"Agreement {uuid4()}"))
    await invited(dev_stage, session, 1)
    at_once = await held(dev_stage, session)

    monkeypatch.setattr(history_reader, "PAGE", 1)

    assert await held(dev_stage, session) == at_once


async def test_what_never_was_is_not_found(dev_stage: Stage) -> None:
    with pytest.raises(NotRunning):
        await dev_stage.runs.read_session(SessionId(identifier("never made")))


class _Forgetful(Interceptor):
    """A server that ended while it held an update, and knows nothing of it when it is back."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        return _ForgetfulCalls(next)


class _ForgetfulCalls(OutboundInterceptor):
    async def start_workflow_update(self, input: StartWorkflowUpdateInput) -> WorkflowUpdateHandle[Any]:
        raise RPCError(f"update {input.update} not found", RPCStatusCode.NOT_FOUND, b"")


async def test_an_update_that_a_server_forgot_can_be_tried_again(server: WorkflowEnvironment, dev_stage: Stage) -> None:
    session = await dev_stage.start(created(name=f"Agreement {uuid4()}"))
    config = server.client.config()
    config["interceptors"] = [_Forgetful()]
    forgetful = TemporalRuns(Client(**config))

    with pytest.raises(Unavailable):
        await forgetful.act(session.session_id, "archive", ACT)
    with pytest.raises(NotRunning):
        await forgetful.act(SessionId(identifier("never made")), "archive", ACT)
