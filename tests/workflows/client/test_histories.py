"""Reading a session from the history of its run."""

from typing import Any
from uuid import uuid4

import pytest
from temporalio import workflow
from temporalio.client import Client, Interceptor, OutboundInterceptor, StartWorkflowUpdateInput, WorkflowUpdateHandle
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment

from adapters.temporal.dev_server import TUNING
from domain.ports.database import DatabaseUnavailable
from domain.ports.temporal import NotRunning
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from domain.workflow_ids import erasure_id, session_workflow_id
from tests.builders import created, identifier, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, opened_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, set_stage
from tests.workflows.waiting import eventually
from workflows.client import histories
from workflows.client.histories import TemporalHistories
from workflows.client.runs import TemporalRuns
from workflows.workflow_types import WORKFLOWS


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_no_workflow_answers_queries_of_its_own(kind: type) -> None:
    definition = workflow._Definition.must_from_class(kind)
    assert [name for name in definition.queries if name and not name.startswith("__")] == []


async def held(stage: Stage, session: Session) -> Session:
    return await stage.runs.read_session(session.session_id)


async def test_the_latest_result_of_an_update_is_found_page_by_page(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = await stage.start(created(name=f"Agreement {uuid4()}"))
    assert (await held(stage, sent)).status is SessionStatus.PENDING
    await invited(stage, sent, 1)
    await stage.sessions.act(sent, opened_by("ada"))
    at_once = await held(stage, sent)
    assert at_once.recipients[0].status is RecipientStatus.VIEWED

    monkeypatch.setattr(histories, "PAGE", 1)

    assert await held(stage, sent) == at_once
    with pytest.raises(NotRunning):
        await stage.runs.read_session(SessionId(identifier("never made")))


async def test_a_session_that_could_not_be_recorded_is_read_when_no_worker_runs(
    environment: WorkflowEnvironment,
) -> None:
    effects = FakeEffects()
    async with set_stage(environment.client, effects=effects) as stage:
        session = await stage.send()
        effects.failures["record_session"] = 1000
        with pytest.raises(DatabaseUnavailable):
            await stage.sessions.act(session, ACT)
    assert (await held(stage, session)).status is SessionStatus.CANCELLED
    await stage.runs.stop(session.session_id, "the test ends")


class _Forgetful(Interceptor):
    """A server that lost an update."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        return _ForgetfulCalls(next)


class _ForgetfulCalls(OutboundInterceptor):
    async def start_workflow_update(self, input: StartWorkflowUpdateInput) -> WorkflowUpdateHandle[Any]:
        raise RPCError(f"update {input.update} not found", RPCStatusCode.NOT_FOUND, b"")


async def test_an_update_that_a_server_forgot_can_be_tried_again(
    environment: WorkflowEnvironment, stage: Stage
) -> None:
    session = await stage.start(created(name=f"Agreement {uuid4()}"))
    config = environment.client.config()
    config["interceptors"] = [_Forgetful()]
    forgetful = TemporalRuns(Client(**config))

    with pytest.raises(Unavailable):
        await forgetful.act(session.session_id, ACT)
    with pytest.raises(NotRunning):
        await forgetful.act(SessionId(identifier("never made")), ACT)


async def sent(stage: Stage, name: str) -> Session:
    return await invited(stage, await stage.start(created(recipient("ada"), name=name)), 1)


@pytest.mark.temporal
async def test_all_runs_of_the_named_workflows_are_deleted_and_no_others() -> None:
    async with dev_server(*TUNING) as environment, set_stage(environment.client) as stage:
        client, histories = environment.client, TemporalHistories(environment.client)
        running, ended, other = [await sent(stage, name) for name in ("running", "ended", "other")]
        await client.get_workflow_handle(session_workflow_id(ended.session_id)).terminate()
        names = [session_workflow_id(session.session_id) for session in (running, ended)]
        await eventually(client.count_workflows, lambda found: found.count == 3)

        found = await histories.delete([*names, erasure_id(running.session_id)])
        await eventually(lambda: histories.delete(names, found), lambda left: left == [])

        assert len(set(found)) == 2
        left = [run.id async for run in client.list_workflows()]
        assert left == [session_workflow_id(other.session_id)]
        assert (await stage.runs.read_session(other.session_id)).session_id == other.session_id
