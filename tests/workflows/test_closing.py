"""A session whose story is over ends its run; what is done with it later has runs of its own."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from domain.errors import AlreadyArchived, NotArchived, SessionNotFound
from domain.events import ActorKind, EventType, chain_is_intact
from domain.session import Session, SessionStatus
from domain.workflow_ids import closed_workflow_id, session_workflow_id
from tests.builders import created, recipient
from tests.workflows.acts import ACT, declined_by
from tests.workflows.stage import Stage, invited, result_of
from tests.workflows.stories import closed, handed_out
from workflows.client import WRITE_TIMEOUT
from workflows.policies import AWAITED_TIMEOUT, RECORD_TIMEOUT


@pytest.fixture
def stage(timed_stage: Stage) -> Stage:
    return timed_stage


async def declined(stage: Stage) -> Session:
    """A session that Ada declined a moment ago."""
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await invited(stage, session, 1)
    return await stage.sessions.decline(session, declined_by("ada"))


async def test_the_run_ends_with_the_whole_view_which_is_recorded(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    assert session.status is SessionStatus.DECLINED
    assert stage.effects.recorded[-1] == session
    assert chain_is_intact(stage.effects.events)


async def test_copies_are_recorded_by_the_run_and_after_it_each_once(stage: Stage) -> None:
    session = await handed_out(stage)

    handed = [event for event in stage.effects.events if event.type is EventType.SESSION_DOWNLOADED]
    assert [(event.actor.kind, event.details["copy"]) for event in handed] == [
        (ActorKind.CLIENT, "certificate"), (ActorKind.RECIPIENT, "document"), (ActorKind.USER, "document"),
    ]  # fmt: skip
    assert stage.effects.recorded[-1] == session
    assert chain_is_intact(stage.effects.events)


async def test_an_act_within_the_grace_is_done_by_the_session_itself(stage: Stage) -> None:
    session = await declined(stage)

    archived = await stage.sessions.archive(session, ACT)

    assert archived.status is SessionStatus.CANCELLED
    assert await closed(stage, session) == stage.effects.recorded[-1]


async def test_a_closed_session_is_archived_and_restored(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    archived = await stage.sessions.archive(session, ACT)
    with pytest.raises(AlreadyArchived):
        await stage.sessions.archive(session, ACT)
    restored = await stage.sessions.restore(session, ACT)
    with pytest.raises(NotArchived):
        await stage.sessions.restore(session, ACT)

    assert (archived.status, archived.previous_status) == (SessionStatus.CANCELLED, SessionStatus.DECLINED)
    assert restored.status is SessionStatus.DECLINED
    assert stage.effects.recorded[-1] == restored
    assert chain_is_intact(stage.effects.events)
    assert await result_of(stage, session) == session  # the record of the session itself is never touched


async def test_of_parallel_acts_on_a_closed_session_one_wins(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    outcomes = await asyncio.gather(*(stage.sessions.archive(session, ACT) for _ in range(4)), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["AlreadyArchived"] * 3 + ["Session"]
    assert [event.type.value for event in stage.effects.events].count("session.archived") == 1


async def test_a_closed_session_is_deleted_for_ever(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    erased = await stage.sessions.erase(session, ACT)

    assert erased.is_erased
    assert stage.effects.buried == [session.session_id]
    with pytest.raises(SessionNotFound):
        await stage.sessions.restore(session, ACT)


async def test_an_act_on_a_closed_session_waits_for_the_database(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))
    stage.effects.failures["load_session"] = 2
    stage.effects.failures["record_session"] = 2

    archived = await stage.sessions.archive(session, ACT)

    assert stage.effects.recorded[-1] == archived


async def test_a_try_takes_less_time_than_who_waits_for_it_has_and_more_than_a_busy_worker_needs(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))
    await stage.sessions.archive(session, ACT)

    own = await limits_of_records(stage, session_workflow_id(session.session_id))
    assert (set(own[:-1]), own[-1]) == ({RECORD_TIMEOUT}, AWAITED_TIMEOUT)  # the last one is the end of its story
    assert set(await limits_of_records(stage, closed_workflow_id(session.session_id))) == {AWAITED_TIMEOUT}
    assert AWAITED_TIMEOUT < WRITE_TIMEOUT < RECORD_TIMEOUT


async def limits_of_records(stage: Stage, workflow_id: str) -> list[timedelta]:
    """How long each try to read or write the row could take in that run."""
    history = await stage.client.get_workflow_handle(workflow_id).fetch_history()
    steps = [event.activity_task_scheduled_event_attributes for event in history.events]
    return [
        step.start_to_close_timeout.ToTimedelta()
        for step in steps
        if step.activity_type.name in {"record_session", "load_session"}
    ]
