"""A session that is final and waits for nothing ends its run; what is done with it later changes its row."""

import asyncio
from uuid import uuid4

import pytest

from domain.audit.events import ActorKind, EventType, chain_is_intact
from domain.session.downloads import CERTIFICATE
from domain.session.session import Session
from domain.session.snapshot import SessionStatus
from domain.shared.errors import AlreadyArchived, NotArchived, SessionNotFound
from domain.shared.workflow_ids import session_workflow_id
from tests.builders import created, recipient
from tests.workflows.acts import ACT, copies, declined_by, signed_by
from tests.workflows.stage import Stage, history, invited, receipt_of, result_of, seen
from tests.workflows.stories import closed
from tests.workflows.waiting import eventually


async def declined(stage: Stage) -> Session:
    """A session that Ada declined a moment ago."""
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await invited(stage, session, 1)
    return await stage.sessions.decline(session, declined_by("ada"))


async def test_the_run_ends_with_the_session_that_is_recorded(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    assert session.status is SessionStatus.DECLINED
    assert await seen(stage, session) == session
    assert chain_is_intact(await history(stage, session))


async def test_no_timer_is_set_where_no_reminder_and_no_expiry_is_to_come(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    history = await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).fetch_history()
    kinds = [event.WhichOneof("attributes") for event in history.events]
    assert "timer_started_event_attributes" not in kinds


async def test_copies_are_recorded_by_the_run_and_after_it_each_once(stage: Stage) -> None:
    stage.effects.held["send_outcome_mail"] = asyncio.Event()
    session = await invited(stage, await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}")), 1)
    await stage.sessions.sign(session, signed_by("ada"))
    done = await eventually(lambda: seen(stage, session), lambda now: all(f.signed for f in now.files))
    await stage.sessions.record_download(session, copies(CERTIFICATE))
    stage.effects.held["send_outcome_mail"].set()
    await closed(stage, session)
    for who in (ActorKind.RECIPIENT, ActorKind.RECIPIENT, ActorKind.USER):
        last = await stage.sessions.record_download(session, copies(done.files[0].file_id, by=who))

    handed = [event for event in await history(stage, session) if event.type is EventType.SESSION_DOWNLOADED]
    assert [(event.actor.kind, event.details["copy"]) for event in handed] == [
        (ActorKind.CLIENT, "certificate"), (ActorKind.RECIPIENT, "document"), (ActorKind.USER, "document"),
    ]  # fmt: skip
    assert await seen(stage, session) == last
    assert chain_is_intact(await history(stage, session))


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
    assert await seen(stage, session) == restored
    assert chain_is_intact(await history(stage, session))
    assert await result_of(stage, session) == session  # the record of the session itself is never touched


async def test_of_parallel_acts_on_a_closed_session_one_wins(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    outcomes = await asyncio.gather(*(stage.sessions.archive(session, ACT) for _ in range(4)), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["AlreadyArchived"] * 3 + ["Session"]
    assert [event.type.value for event in await history(stage, session)].count("session.archived") == 1


async def test_a_closed_session_is_deleted_for_ever(stage: Stage) -> None:
    session = await closed(stage, await declined(stage))

    erased = await stage.sessions.erase(session, ACT)

    assert erased.is_erased
    assert stage.effects.buried == [session.session_id]
    with pytest.raises(SessionNotFound):
        await stage.sessions.restore(session, ACT)
    assert await receipt_of(stage, session) == "receipt"
