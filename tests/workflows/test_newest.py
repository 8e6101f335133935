"""What is read of a session without asking its workflow."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from temporalio import workflow
from temporalio.client import Client, Interceptor, OutboundInterceptor, StartWorkflowUpdateInput, WorkflowUpdateHandle
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment

from domain.errors import SessionNotFound, Unavailable
from domain.ids import SessionId
from domain.recipients import RecipientStatus
from domain.session import Session
from tests.builders import created, identifier, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, opened_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, seen, set_stage
from tests.workflows.waiting import eventually
from workflows import newest
from workflows.client import TemporalSessions
from workflows.registry import WORKFLOWS


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


async def test_an_answer_that_was_given_is_found(dev_stage: Stage) -> None:
    draft = await dev_stage.start(created(name=f"Agreement {uuid4()}"), send=False)
    assert await seen(dev_stage, draft) == draft

    sent = await dev_stage.sessions.send(draft, ACT)
    assert (await seen(dev_stage, draft)).status is sent.status
    await invited(dev_stage, draft, 1)
    viewed = await dev_stage.sessions.view(draft, opened_by("ada"))
    assert (await seen(dev_stage, draft)).recipients == viewed.recipients


async def test_a_session_is_read_when_no_worker_runs(server: WorkflowEnvironment) -> None:
    async with set_stage(server.client) as stage:
        session = await stage.start(created(name=f"Agreement {uuid4()}"))
        await invited(stage, session, 1)

    found = await seen(stage, session)

    assert found.recipients[0].status is RecipientStatus.PENDING


async def test_what_could_not_be_recorded_is_found_all_the_same(server: WorkflowEnvironment) -> None:
    effects = FakeEffects()
    async with set_stage(server.client, effects=effects) as stage:
        draft = await stage.start(created(name=f"Agreement {uuid4()}"), send=False)
        effects.failures["record_session"] = 1000
        sent = await stage.sessions.send(draft, ACT)
        assert sent.revision > await stage.recorded_revision()

        assert (await seen(stage, draft)).status is sent.status


async def test_a_link_works_from_the_moment_when_its_mail_may_leave(server: WorkflowEnvironment) -> None:
    effects = FakeEffects()
    async with set_stage(server.client, effects=effects) as stage:
        draft = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"), send=False)
        effects.failures["record_session"] = 1000
        await stage.sessions.send(draft, ACT)
        [mail] = await eventually(lambda: _mails(effects), bool)

        assert (await seen(stage, draft)).recipient_by_link(mail).key == "ada"


async def _mails(effects: FakeEffects) -> list[str]:
    return [mail.link_hash for mail in effects.invited]


async def test_a_long_history_is_read_page_by_page(dev_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await dev_stage.start(created(name=f"Agreement {uuid4()}"))
    await invited(dev_stage, session, 1)
    at_once = await seen(dev_stage, session)

    monkeypatch.setattr(newest, "PAGE", 1)

    assert await seen(dev_stage, session) == at_once


async def test_what_never_was_is_not_found(dev_stage: Stage) -> None:
    with pytest.raises(SessionNotFound):
        await dev_stage.sessions.snapshot(SessionId(identifier("never made")))


class _Forgetful(Interceptor):
    """A server that ended while it held an update, and knows nothing of it when it is back."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        return _ForgetfulCalls(next)


class _ForgetfulCalls(OutboundInterceptor):
    async def start_workflow_update(self, input: StartWorkflowUpdateInput) -> WorkflowUpdateHandle[Any]:
        raise RPCError(f"update {input.update} not found", RPCStatusCode.NOT_FOUND, b"")


async def test_an_update_that_a_server_forgot_can_be_tried_again(server: WorkflowEnvironment, dev_stage: Stage) -> None:
    draft = await dev_stage.start(created(name=f"Agreement {uuid4()}"), send=False)
    config = server.client.config()
    config["interceptors"] = [_Forgetful()]
    forgetful = TemporalSessions(Client(**config))

    with pytest.raises(Unavailable):
        await forgetful.send(draft.session_id, ACT)
    with pytest.raises(SessionNotFound):
        await forgetful.send(SessionId(identifier("never made")), ACT)


async def test_a_session_counts_as_made_though_the_answer_was_forgotten(server: WorkflowEnvironment) -> None:
    config = server.client.config()
    config["interceptors"] = [_Forgetful()]
    async with set_stage(Client(**config)) as stage:
        made: Session = await stage.start(created(name="Made and forgotten"), send=False)

        assert made.name == "Made and forgotten"
        assert await seen(stage, made) == made
