"""Actions at the same time, or repeated: the workflow decides, one wins, and the other gets a clear error."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import pytest

from domain.audit.hash_chain import chain_is_intact
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import AlreadySigned, NotADraft, SessionNotActive, SessionNotFound, SigningError
from tests.builders import created, recipient
from tests.workflows.acts import ACT, RESTORE, ask_again, declined_by, signed_by
from tests.workflows.stage import Stage, history, invited, receipt_of, seen
from tests.workflows.waiting import eventually

Act = Callable[[Stage, Session], Awaitable[Session]]

ACTS: dict[str, Act] = {
    "send": lambda stage, session: stage.sessions.send(session, ACT),
    "sign": lambda stage, session: stage.sessions.act(session, signed_by("ada")),
    "decline": lambda stage, session: stage.sessions.act(session, declined_by("ada")),
    "archive": lambda stage, session: stage.sessions.act(session, ACT),
    "restore": lambda stage, session: stage.sessions.act(session, RESTORE),
    "erase": lambda stage, session: stage.sessions.erase(session, ACT),
}


async def together(stage: Stage, session: Session, *acts: str) -> list[Session | BaseException]:
    return await asyncio.gather(*(ACTS[act](stage, session) for act in acts), return_exceptions=True)


@pytest.fixture
async def session(stage: Stage) -> Session:
    session = await stage.start(created(recipient("ada"), recipient("grace", 1), name=f"Agreement {uuid4()}"))
    return await invited(stage, session, 2)


@pytest.mark.parametrize(
    ("acts", "loser"),
    [
        (("sign", "sign"), AlreadySigned),
        (("sign", "decline"), (AlreadySigned, SessionNotActive)),
        (("decline", "sign"), (AlreadySigned, SessionNotActive)),
        (("archive", "sign"), SessionNotActive),
        (("archive", "archive"), SigningError),
    ],
)
async def test_of_two_at_once_one_wins(
    stage: Stage, acts: tuple[str, str], loser: type[SigningError] | tuple[type[SigningError], ...], session: Session
) -> None:
    outcomes = await together(stage, session, *acts)

    won = [outcome for outcome in outcomes if isinstance(outcome, Session)]
    lost = [outcome for outcome in outcomes if not isinstance(outcome, Session)]
    if acts == ("archive", "sign") and not lost:  # signed first, archived then
        now = await seen(stage, session)
        assert (now.status, now.recipients[0].status) == (SessionStatus.CANCELLED, RecipientStatus.COMPLETED)
    else:
        assert len(won) == 1
        assert isinstance(lost[0], loser)
    assert chain_is_intact(await history(stage, session))
    await stage.sessions.erase(session, ACT)


async def test_two_recipients_at_once_both_count(stage: Stage, session: Session) -> None:
    outcomes = await asyncio.gather(*(stage.sessions.act(session, signed_by(who)) for who in ("ada", "grace")))
    assert all(isinstance(outcome, Session) for outcome in outcomes)
    await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.COMPLETED_AND_GENERATED)


async def test_archiving_and_restoring_while_a_mail_is_under_way_sends_it_once(stage: Stage) -> None:
    stage.effects.mail_server.clear()
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await eventually(lambda: begun(stage), lambda names: "send_invitation" in names)
    for _ in range(2):
        await stage.sessions.act(session, ACT)
        await stage.sessions.act(session, RESTORE)
    stage.effects.mail_server.set()

    await invited(stage, session, 1)
    await stage.sessions.act(session, signed_by("ada"))
    assert len(stage.effects.invited) == 1


async def begun(stage: Stage) -> list[str]:
    return stage.effects.begun


async def test_deleting_waits_for_no_mail_server(stage: Stage) -> None:
    stage.effects.mail_server.clear()
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))

    assert (await stage.sessions.erase(session, ACT)).is_erased

    stage.effects.mail_server.set()
    await receipt_of(stage, session)


async def test_sending_twice_at_once_sends_once(stage: Stage) -> None:
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"), send=False)

    outcomes = await together(stage, session, "send", "send")

    assert sorted(type(outcome).__name__ for outcome in outcomes) == [NotADraft.__name__, Session.__name__]
    await invited(stage, session, 1)
    assert len(stage.effects.invited) == 1
    await stage.sessions.erase(session, ACT)


async def test_restoring_against_deleting_leaves_it_deleted(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, ACT)

    restored, erased = await together(stage, session, "restore", "erase")

    assert isinstance(erased, Session)
    assert isinstance(restored, Session | SessionNotFound)
    with pytest.raises(SessionNotFound):
        await stage.sessions.act(session, ACT)


async def test_signing_against_the_expiry_date_has_one_outcome(timed_stage: Stage) -> None:
    session = await timed_stage.send(recipient("ada"), expiry_days=1)
    await timed_stage.pass_time(timedelta(days=1) - timedelta(milliseconds=50))

    [outcome] = await together(timed_stage, session, "sign")

    final = await eventually(
        lambda: seen(timed_stage, session),
        lambda now: now.status in {SessionStatus.EXPIRED, SessionStatus.COMPLETED_AND_GENERATED},
    )
    signed = final.status is SessionStatus.COMPLETED_AND_GENERATED
    assert isinstance(outcome, Session if signed else SessionNotActive)


# Repeated under one identifier


async def test_a_session_that_was_created_is_the_answer_to_creating_it_again(stage: Stage) -> None:
    step = created(name=f"Agreement {uuid4()}")
    draft = await stage.start(step, send=False)
    await stage.sessions.send(draft, ACT)

    again = await stage.start(step, send=False)

    assert again.session_id == draft.session_id
    assert again.status is SessionStatus.PENDING


async def test_a_run_that_was_started_is_not_started_again(stage: Stage) -> None:
    session = await stage.send()

    assert await stage.runs.start(session) is False
    with pytest.raises(NotADraft):
        await stage.sessions.send(session, ACT)
    mine = [request for request in stage.effects.invited if request.link.session_id == session.session_id]
    assert len(mine) == 1


async def test_an_invitation_under_the_same_update_id_is_one(stage: Stage) -> None:
    session = await stage.send()

    for _ in range(3):
        after = await stage.sessions.act(session, ask_again("ada"), "once")

    assert after.recipients[0].invitation.number == 2
    assert (await seen(stage, session)).recipients[0].invitation.number == 2
