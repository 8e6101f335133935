"""Sessions that outlive their histories continue as new."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from temporalio.client import Client
from temporalio.common import RetryPolicy

from domain.audit.hash_chain import chain_is_intact
from domain.ports.session_requests import ViewRequest
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.workflow_ids import session_workflow_id
from tests.builders import audit, recipient
from tests.workflows.acts import ACT, RESTORE, opened_by, signed_by
from tests.workflows.servers import CONTINUE_EARLY, dev_server
from tests.workflows.stage import Stage, history, invited, seen, set_stage
from tests.workflows.stories import generated
from tests.workflows.waiting import eventually
from workflows import activity_options


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with dev_server(CONTINUE_EARLY) as environment, set_stage(environment.client) as stage:
        yield stage


async def runs(client: Client, session: Session) -> list[int]:
    """The number of events of each run of the session, from the first."""
    lengths = []
    execution = client.get_workflow_handle(session_workflow_id(session.session_id))
    run_id: str | None = (await execution.describe()).raw_description.workflow_execution_info.first_run_id
    while run_id:
        handle = client.get_workflow_handle(session_workflow_id(session.session_id), run_id=run_id)
        history = await handle.fetch_history()
        lengths.append(len(history.events))
        run_id = history.events[-1].workflow_execution_continued_as_new_event_attributes.new_execution_run_id or None
    return lengths


def opened_on(session: Session, device: int) -> ViewRequest:
    """Ada opens the documents on a device of hers."""
    on_device = audit().model_copy(update={"user_agent": f"browser {device}"})
    return opened_by("ada").model_copy(update={"audit": on_device})


async def test_a_session_with_a_long_history_continues_as_new(stage: Stage) -> None:
    session = await stage.send(
        recipient("ada"),
        recipient("grace", 2),
        reminder_enabled=True,
        reminder_frequency=ReminderFrequency.MONTHLY,
        expiry_days=90,
    )
    before = await seen(stage, session)
    for _ in range(10):
        await stage.sessions.act(session, ACT)
        after = await stage.sessions.act(session, RESTORE)

    assert (after.next_reminder_at, after.expires_at) == (before.next_reminder_at, before.expires_at)
    for number, who in enumerate(("ada", "grace"), start=1):
        await invited(stage, session, number)
        await stage.sessions.act(session, signed_by(who))
    await generated(stage, session)

    lengths = await runs(stage.client, session)
    assert len(lengths) > 2
    assert max(lengths) < 200
    assert chain_is_intact(await history(stage, session))
    assert [request.link.invitation for request in stage.effects.invited] == [1, 1]


async def test_acts_that_come_while_the_history_is_continued_are_all_answered(stage: Stage, session: Session) -> None:
    at_once = asyncio.Semaphore(8)  # Temporal puts off what is more than ten updates of one run

    async def view(number: int) -> None:
        async with at_once:
            await stage.sessions.act(session, opened_on(session, number))

    await asyncio.gather(*(view(number) for number in range(60)))

    assert len((await seen(stage, session)).recipients[0].devices) == 20
    assert len(await runs(stage.client, session)) > 1


async def test_opening_the_documents_again_and_again_leaves_no_more_events(stage: Stage, session: Session) -> None:
    for _ in range(30):
        await stage.sessions.act(session, opened_by("ada"))
    assert [event.type.value for event in await history(stage, session)].count("recipient.viewed") == 1


async def test_a_long_failure_continues_as_new_too(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    often = RetryPolicy(initial_interval=timedelta(milliseconds=200), backoff_coefficient=1)
    monkeypatch.setattr(activity_options, "RECORD_RETRY", often)
    session = await stage.send(recipient("ada"))
    before = list(stage.effects.recorded)
    stage.effects.failures["record_session"] = 10**6
    for act in (stage.runs.act(session.session_id, ACT), stage.runs.act(session.session_id, RESTORE)):
        await act
    views = (stage.runs.act(session.session_id, opened_on(session, n)) for n in range(20))
    await asyncio.gather(*views)
    await eventually(lambda: runs(stage.client, session), lambda lengths: len(lengths) > 1)
    assert stage.effects.recorded == before

    stage.effects.failures["record_session"] = 0
    await stage.sessions.act(session, signed_by("ada"))
    done = await generated(stage, session)

    assert done.status is SessionStatus.COMPLETED_AND_GENERATED
    assert chain_is_intact(await history(stage, session))
    assert len(await history(stage, session)) == done.sequence
