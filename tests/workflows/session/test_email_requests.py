"""Outcome mails are sent once each and delay nothing; rejected ones are dropped."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from temporalio.testing import WorkflowEnvironment

from activities.interface import OutcomeMailRequest
from domain.audit.events import EventType
from domain.audit.hash_chain import chain_is_intact
from domain.ports.session_requests import ArchiveRequest
from domain.session.outcome_mail_kinds import CompletionMails, OutcomeMailKind
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.session.waiting_for import waiting_for
from domain.shared.errors import SessionNotFound
from domain.shared.ids import UserId
from tests.builders import audit, created, identifier, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, RESTORE, ask_again, declined_by, signed_by
from tests.workflows.stage import Stage, history, invited, receipt_of, result_of, seen, set_stage
from tests.workflows.stories import generated
from tests.workflows.waiting import eventually

FOR_EVER = 1_000_000
SENDER = "contracts@northwind.example"


@pytest.fixture
async def session(stage: Stage) -> Session:
    return await sent(stage)


async def sent(stage: Stage, **settings: object) -> Session:
    """Ada and Grace are both invited."""
    people = (recipient("ada", 1), recipient("grace", 1))
    return await stage.send(*people, sender_email=SENDER, **settings, invitations=2)


async def signed(stage: Stage, session: Session) -> Session:
    for who in ("ada", "grace"):
        await stage.sessions.act(session, signed_by(who))
    return await generated(stage, session)


def is_confirmation(mail: OutcomeMailRequest) -> bool:
    return mail.notice.kind is OutcomeMailKind.SIGNED and mail.notice.recipient_id is not None


def told(stage: Stage, session: Session) -> Counter[tuple[OutcomeMailKind, str]]:
    """The number of mails about the end by kind and address."""
    mine = [one for one in stage.effects.noticed if one.session_id == session.session_id and not is_confirmation(one)]
    return Counter((request.notice.kind, request.to_email) for request in mine)


async def all_told(stage: Stage, session: Session, count: int) -> Counter[tuple[OutcomeMailKind, str]]:
    async def look() -> Counter[tuple[OutcomeMailKind, str]]:
        return told(stage, session)

    return await eventually(look, lambda found: found.total() >= count)


def once(kind: OutcomeMailKind, *who: str) -> Counter[tuple[OutcomeMailKind, str]]:
    return Counter((kind, f"{name}@example.com" if "@" not in name else name) for name in who)


async def declines(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, declined_by("ada"))


async def archives(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, ACT)


async def signs(stage: Stage, session: Session) -> None:
    await signed(stage, session)


@pytest.mark.parametrize(
    ("ends", "mails"),
    [
        (signs, once(OutcomeMailKind.COMPLETED, "ada", "grace", SENDER)),
        (declines, once(OutcomeMailKind.DECLINED, "grace", SENDER)),
        (archives, once(OutcomeMailKind.CANCELLED, "ada", "grace")),
    ],
)
async def test_each_outcome_mail_is_sent_once(
    stage: Stage, ends: Callable[[Stage, Session], Awaitable[None]], mails: Counter[tuple[OutcomeMailKind, str]]
) -> None:
    stage.effects.failures["send_outcome_mail"] = 4
    session = await sent(stage)

    await ends(stage, session)

    assert await all_told(stage, session, mails.total()) == mails
    left = await eventually(lambda: seen(stage, session), lambda now: now.outcome_mails == ())
    assert left.due_outcome_mails == ()


async def test_invited_recipients_get_a_mail_about_the_expiry(timed_stage: Stage) -> None:
    session = await sent(timed_stage, expiry_days=5)
    await timed_stage.pass_time(timedelta(days=5))
    assert await all_told(timed_stage, session, 3) == once(OutcomeMailKind.EXPIRED, "ada", "grace", SENDER)


@pytest.mark.parametrize(("rejections", "mails"), [(0, once(OutcomeMailKind.COMPLETED, SENDER)), (9, Counter())])
async def test_the_run_ends_when_all_outcome_mails_were_sent_once_or_rejected(
    timed_stage: Stage, rejections: int, mails: Counter[tuple[OutcomeMailKind, str]]
) -> None:
    timed_stage.effects.rejections["send_outcome_mail"] = rejections
    settings = {} if rejections else {"completion_mails": CompletionMails.SENDER}
    ended = await result_of(timed_stage, await signed(timed_stage, await sent(timed_stage, **settings)))
    assert (ended.status, ended.outcome_mails) == (SessionStatus.COMPLETED_AND_GENERATED, ())
    assert told(timed_stage, ended) == mails


async def test_a_dead_mail_server_delays_nothing_but_its_mails(stage: Stage, session: Session) -> None:
    stage.effects.failures["send_outcome_mail"] = FOR_EVER

    done = await signed(stage, session)

    assert done.status is SessionStatus.COMPLETED_AND_GENERATED
    assert stage.effects.recorded[-1].status is SessionStatus.COMPLETED_AND_GENERATED
    assert waiting_for(done) == "Completed."
    await stage.sessions.act(session, ACT)
    await stage.sessions.act(session, RESTORE)
    stage.effects.failures.clear()
    assert await all_told(stage, session, 3) == once(OutcomeMailKind.COMPLETED, "ada", "grace", SENDER)


async def test_a_restored_session_sends_the_mails_about_its_documents(stage: Stage) -> None:
    stage.effects.held["generate_document"] = asyncio.Event()
    session = await sent(stage)
    for who in ("ada", "grace"):
        await stage.sessions.act(session, signed_by(who))
    await stage.sessions.act(session, ACT)
    stage.effects.held["generate_document"].set()
    await eventually(lambda: seen(stage, session), lambda now: len(now.outcome_mails) == 3)
    assert told(stage, session) == Counter()

    await stage.sessions.act(session, RESTORE)

    assert await all_told(stage, session, 3) == once(OutcomeMailKind.COMPLETED, "ada", "grace", SENDER)


async def test_the_user_who_sent_it_is_told_of_signatures_and_of_the_end(stage: Stage) -> None:
    olivia = UserId(identifier("olivia"))
    people = (recipient("ada", 1), recipient("grace", 1))
    session = await stage.start(created(*people, sender_email=SENDER, name=f"Agreement {uuid4()}"), sent_by=olivia)
    await invited(stage, session, 2)
    await stage.sessions.act(session, signed_by("ada"))
    await all_told(stage, session, 1)
    await stage.sessions.act(session, signed_by("grace"))
    await all_told(stage, session, 5)

    mails = [one for one in stage.effects.noticed if one.session_id == session.session_id]
    assert [one.to_email for one in mails if is_confirmation(one)] == ["ada@example.com"]
    [first, *ends] = [one for one in mails if not is_confirmation(one)]
    assert (first.notice.kind, first.notice.user_id, first.signer) == (OutcomeMailKind.SIGNED, olivia, "Ada")
    assert (first.signed, first.signers, first.also_to, first.to_email) == (1, 2, None, "")
    [end] = [one for one in ends if one.notice.user_id]
    assert (end.notice.kind, end.notice.user_id, end.also_to) == (OutcomeMailKind.COMPLETED, olivia, SENDER)


async def test_a_session_of_a_program_tells_no_user(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, signed_by("ada"))
    await declines_as_second(stage, session)
    await all_told(stage, session, 2)
    assert [one for one in stage.effects.noticed if one.notice.user_id] == []


async def declines_as_second(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, declined_by("grace"))


async def test_recipients_read_the_reason_of_a_withdrawal(stage: Stage, session: Session) -> None:
    await stage.sessions.act(session, ArchiveRequest(audit=audit(), reason="The fee was wrong."))
    await all_told(stage, session, 2)
    mine = [one for one in stage.effects.noticed if one.session_id == session.session_id]
    assert {(one.notice.kind, one.reason) for one in mine} == {(OutcomeMailKind.CANCELLED, "The fee was wrong.")}
    [archived] = [event for event in await history(stage, session) if event.type is EventType.SESSION_ARCHIVED]
    assert archived.details["reason"] == "The fee was wrong."


async def test_a_deleted_session_sends_no_mail(stage: Stage, session: Session) -> None:
    stage.effects.failures["send_outcome_mail"] = FOR_EVER
    await signed(stage, session)

    await stage.sessions.erase(session, ACT)
    await receipt_of(stage, session)

    assert told(stage, session) == Counter()
    with pytest.raises(SessionNotFound):
        await stage.sessions.act(session, ACT)


async def test_an_invitation_that_is_refused_for_good_is_seen_and_not_tried_again(timed_stage: Stage) -> None:
    stage = timed_stage
    stage.effects.rejections["send_invitation"] = 1
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))

    refused = await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].is_unreachable)
    await stage.pass_time(timedelta(days=1))

    assert stage.effects.invited == []
    assert "(550 5.1.1 no such user)" in waiting_for(refused)
    [failed] = [event for event in await history(stage, session) if event.type is EventType.RECIPIENT_INVITATION_FAILED]
    assert failed.details["reason"] == "550 5.1.1 no such user"
    await stage.sessions.act(session, ask_again("ada"))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == 2)
    await stage.sessions.act(session, signed_by("ada", invitation=2))


async def test_a_reminder_that_is_refused_for_good_is_the_last(timed_stage: Stage) -> None:
    stage, day = timed_stage, timedelta(days=1)
    session = await stage.send(
        recipient("ada"), name="Reminded", reminder_enabled=True, reminder_frequency=ReminderFrequency.DAILY
    )
    stage.effects.rejections["send_reminder"] = 1

    await stage.pass_time(day)
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].is_unreachable)
    await stage.pass_time(2 * day)

    assert stage.effects.reminded == []
    assert (await seen(stage, session)).recipients[0].reminders == 1


async def test_a_mail_server_that_hangs_holds_up_no_act_and_no_record(stage: Stage) -> None:
    stage.effects.mail_server.clear()
    session = await stage.start(created(recipient("ada", 1), recipient("grace", 1), name=f"Agreement {uuid4()}"))
    await eventually(lambda: asyncio.sleep(0, stage.effects.begun), lambda begun: "send_invitation" in begun)

    await stage.runs.act(session.session_id, signed_by("ada"))

    now = await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.IN_PROGRESS)
    assert [r.invitation.delivered for r in now.recipients] == [0, 0]
    stage.effects.mail_server.set()
    await invited(stage, session, 2)
    assert len(stage.effects.invited) == 2


@pytest.mark.parametrize(
    ("ends", "mails"),
    [
        (declines, once(OutcomeMailKind.DECLINED, "grace", SENDER)),
        (archives, once(OutcomeMailKind.CANCELLED, "ada", "grace")),
    ],
)
async def test_recipients_invited_after_the_end_get_the_outcome_mail(
    stage: Stage, ends: Callable[[Stage, Session], Awaitable[None]], mails: Counter[tuple[OutcomeMailKind, str]]
) -> None:
    stage.effects.mail_server.clear()
    people = (recipient("ada", 1), recipient("grace", 1))
    session = await stage.start(created(*people, name=f"Agreement {uuid4()}", sender_email=SENDER))
    await eventually(lambda: asyncio.sleep(0, stage.effects.begun.count("send_invitation")), lambda begun: begun == 2)
    await ends(stage, session)

    stage.effects.mail_server.set()

    assert await all_told(stage, session, mails.total()) == mails
    await invited(stage, session, 2)
    await eventually(lambda: seen(stage, session), lambda now: now.outcome_mails == ())


async def test_unfinished_work_of_a_stopped_worker_is_done_once_by_the_next(environment: WorkflowEnvironment) -> None:
    effects = FakeEffects()
    async with set_stage(environment.client, effects=effects) as stage:
        session = await stage.send()
        effects.held["send_invitation"] = asyncio.Event()
        await stage.runs.act(session.session_id, signed_by("ada"))
        await eventually(lambda: asyncio.sleep(0, effects.begun.count("send_invitation")), lambda begun: begun == 2)
    effects.held.clear()

    async with set_stage(environment.client, effects=effects) as stage:
        now = await invited(stage, session, 2)

    assert now.status is SessionStatus.IN_PROGRESS
    assert [request.recipient_email for request in effects.invited] == ["ada@example.com", "grace@example.com"]
    assert chain_is_intact(await history(stage, session))
