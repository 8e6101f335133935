"""A final session without pending work ends its run; later actions change its row."""

import asyncio

import pytest

from domain.audit.events import ActorKind, EventType
from domain.audit.hash_chain import chain_is_intact
from domain.session.downloadable_items import CERTIFICATE, values_item
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import AlreadyArchived, NotArchived, SessionNotFound
from domain.workflow_ids import session_workflow_id
from tests.builders import recipient
from tests.workflows.acts import ACT, RESTORE, ask_again, copies, declined_by, signed_by
from tests.workflows.stage import Stage, history, invited, receipt_of, result_of, seen
from tests.workflows.waiting import eventually


@pytest.fixture
async def ended(stage: Stage, session: Session) -> Session:
    """A session that Ada declined, and whose run has ended."""
    return await result_of(stage, await stage.sessions.act(session, declined_by("ada")))


async def test_the_run_ends_with_the_recorded_session_and_sets_no_timer_without_reminder_and_expiry(
    stage: Stage, ended: Session
) -> None:
    assert ended.status is SessionStatus.DECLINED
    assert await seen(stage, ended) == ended
    assert chain_is_intact(await history(stage, ended))
    events = (await stage.client.get_workflow_handle(session_workflow_id(ended.session_id)).fetch_history()).events
    assert "timer_started_event_attributes" not in [event.WhichOneof("attributes") for event in events]


async def test_copies_are_recorded_by_the_run_and_after_it_each_once(stage: Stage) -> None:
    stage.effects.held["send_outcome_mail"] = asyncio.Event()
    session = await stage.send(recipient("ada"))
    await stage.sessions.act(session, signed_by("ada"))
    done = await eventually(lambda: seen(stage, session), lambda now: all(f.signed for f in now.files))
    await stage.sessions.act(session, copies(CERTIFICATE))
    stage.effects.held["send_outcome_mail"].set()
    await result_of(stage, session)
    for who in (ActorKind.RECIPIENT, ActorKind.RECIPIENT, ActorKind.USER):
        last = await stage.sessions.act(session, copies(done.files[0].file_id, by=who))

    handed = [event for event in await history(stage, session) if event.type is EventType.SESSION_DOWNLOADED]
    assert [(event.actor.kind, event.details["copy"]) for event in handed] == [
        (ActorKind.CLIENT, "certificate"), (ActorKind.RECIPIENT, "document"), (ActorKind.USER, "document"),
    ]  # fmt: skip
    assert await seen(stage, session) == last
    assert chain_is_intact(await history(stage, session))


async def test_a_closed_session_is_archived_and_restored(stage: Stage, ended: Session) -> None:
    archived = await stage.sessions.act(ended, ACT)
    with pytest.raises(AlreadyArchived):
        await stage.sessions.act(ended, ACT)
    restored = await stage.sessions.act(ended, RESTORE)
    with pytest.raises(NotArchived):
        await stage.sessions.act(ended, RESTORE)

    assert (archived.status, archived.previous_status) == (SessionStatus.CANCELLED, SessionStatus.DECLINED)
    assert restored.status is SessionStatus.DECLINED
    assert await seen(stage, ended) == restored
    assert chain_is_intact(await history(stage, ended))
    assert await result_of(stage, ended) == ended  # the record of the session itself is never touched


async def test_of_parallel_acts_on_a_closed_session_one_wins(stage: Stage, ended: Session) -> None:
    outcomes = await asyncio.gather(*(stage.sessions.act(ended, ACT) for _ in range(4)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["AlreadyArchived"] * 3 + ["Session"]
    assert [event.type.value for event in await history(stage, ended)].count("session.archived") == 1


async def test_a_closed_session_is_deleted_permanently(stage: Stage, ended: Session) -> None:
    assert (await stage.sessions.erase(ended, ACT)).is_erased
    assert stage.effects.buried == [ended.session_id]
    with pytest.raises(SessionNotFound):
        await stage.sessions.act(ended, RESTORE)
    assert await receipt_of(stage, ended) == "receipt"


async def readings(stage: Stage, session: Session) -> list[tuple[ActorKind, object]]:
    events = await history(stage, session)
    assert chain_is_intact(events)
    read = [event for event in events if event.type is EventType.SESSION_VALUES_READ]
    return [(event.actor.kind, event.details["recipientId"]) for event in read]


async def test_values_are_read_while_others_sign_and_after_the_end_each_recorded_once(stage: Stage) -> None:
    people = (recipient("ada", 1), recipient("grace", 2))
    session = await stage.send(*people)
    ada, grace = (person.recipient_id for person in session.recipients)
    session = await stage.sessions.act(session, signed_by("ada"))

    await asyncio.gather(*(stage.sessions.act(session, copies(values_item(ada))) for _ in range(3)))
    while_open = await readings(stage, session)
    await invited(stage, session, 2)
    await stage.sessions.act(session, signed_by("grace"))
    session = await result_of(stage, session)
    for _ in range(2):
        last = await stage.sessions.act(session, copies(values_item(ada), values_item(grace)))

    assert while_open == [(ActorKind.CLIENT, ada)]
    assert await readings(stage, session) == [(ActorKind.CLIENT, ada), (ActorKind.CLIENT, grace)]
    assert await seen(stage, session) == last


async def test_a_refused_mail_about_the_end_is_sent_again_by_another_run(stage: Stage) -> None:
    stage.effects.rejections["send_outcome_mail"] = 1
    session = await stage.send(recipient("ada"))
    await stage.sessions.act(session, signed_by("ada"))
    await result_of(stage, session)
    closed = await seen(stage, session)
    ada = closed.recipients[0].recipient_id
    assert closed.refused_mail_of(ada) is not None
    [failed] = [one for one in await history(stage, session) if one.type is EventType.RECIPIENT_INVITATION_FAILED]
    assert failed.details == {"recipientId": ada, "mail": "completed", "reason": "550 5.1.1 no such user"}

    request = ask_again("ada").model_copy(update={"to_email": "ada@elsewhere.example"})
    await stage.sessions.act(closed, request)

    await eventually(lambda: seen(stage, session), lambda now: not now.needs_run)
    sent = [one.to_email for one in stage.effects.noticed if one.session_id == session.session_id]
    assert sent == ["ada@elsewhere.example"]
    assert chain_is_intact(await history(stage, session))
