"""Corrections, reminders at once and other deadlines of running sessions: each mail is sent once, timers follow."""

import asyncio
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest
from temporalio.testing import WorkflowEnvironment

from domain.audit.hash_chain import chain_is_intact
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import ExpiryNotLater, LinkNotValid, TooOften
from tests.builders import created, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import (
    ACT,
    expire_after,
    opened_by,
    remind_every,
    remind_of,
    right_address,
    signed_by,
)
from tests.workflows.stage import Stage, history, result_of, seen, set_stage
from tests.workflows.stories import generated, told
from tests.workflows.waiting import eventually

DAY = timedelta(days=1)
WRONG, RIGHT = "ada@example.com", "ada@right.example"


def invited(effects: FakeEffects) -> list[str]:
    return [request.recipient_email for request in effects.invited]


def replaced(effects: FakeEffects) -> Counter[str]:
    return Counter(one.to_email for one in effects.noticed if one.notice.kind is OutcomeMailKind.REPLACED)


async def delivered(stage: Stage, session: Session, number: int) -> Session:
    return await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == number)


async def test_a_corrected_address_gets_one_invitation_and_the_earlier_one_is_told_once(stage: Stage) -> None:
    session = await stage.send(recipient("ada"))
    await stage.sessions.act(session, opened_by("ada"))

    await stage.sessions.act(session, right_address("ada", RIGHT))
    await stage.sessions.act(session, right_address("ada", RIGHT))  # asked for twice

    await told(stage, session, 1)
    await delivered(stage, session, 2)
    assert invited(stage.effects) == [WRONG, RIGHT]
    [mail] = stage.effects.noticed
    assert (mail.to_email, mail.to_name, RIGHT in mail.model_dump_json()) == (WRONG, "Ada", False)
    with pytest.raises(LinkNotValid):
        await stage.sessions.act(session, signed_by("ada", invitation=1))
    await stage.sessions.act(session, signed_by("ada", invitation=2))
    done = await generated(stage, session)
    assert done.recipients[0].email == RIGHT
    assert replaced(stage.effects) == {WRONG: 1}
    assert chain_is_intact(await history(stage, session))


async def test_an_invitation_that_cannot_leave_is_never_sent_to_the_wrong_address(stage: Stage) -> None:
    stage.effects.failures["send_invitation"] = 1_000_000
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await eventually(lambda: asyncio.sleep(0, stage.effects.begun.count("send_invitation")), lambda begun: begun >= 1)

    await stage.sessions.act(session, right_address("ada", RIGHT))
    stage.effects.failures.clear()

    await delivered(stage, session, 2)
    assert (invited(stage.effects), replaced(stage.effects)) == ([RIGHT], Counter())


async def test_an_invitation_that_leaves_after_the_correction_is_followed_by_a_mail(stage: Stage) -> None:
    stage.effects.mail_server.clear()
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await eventually(lambda: asyncio.sleep(0, stage.effects.begun), lambda begun: "send_invitation" in begun)
    await stage.sessions.act(session, right_address("ada", RIGHT))

    stage.effects.mail_server.set()

    await delivered(stage, session, 2)
    await told(stage, session, 1)
    assert (sorted(invited(stage.effects)), replaced(stage.effects)) == ([WRONG, RIGHT], {WRONG: 1})


async def test_mails_of_a_correction_that_a_stopped_worker_left_are_sent_once(environment: WorkflowEnvironment) -> None:
    effects = FakeEffects()
    async with set_stage(environment.client, effects=effects) as stage:
        session = await stage.send(recipient("ada"))
        effects.held["send_invitation"] = effects.held["send_outcome_mail"] = asyncio.Event()
        await stage.runs.act(session.session_id, right_address("ada", RIGHT))
        await eventually(lambda: asyncio.sleep(0, effects.begun.count("send_invitation")), lambda begun: begun == 2)
    effects.held.clear()

    async with set_stage(environment.client, effects=effects) as stage:
        await delivered(stage, session, 2)
        await told(stage, session, 1)

    assert (invited(effects), replaced(effects)) == ([WRONG, RIGHT], {WRONG: 1})


async def test_the_mail_to_the_earlier_address_is_sent_while_archived(stage: Stage) -> None:
    session = await stage.send(recipient("ada"))
    stage.effects.failures["send_outcome_mail"] = 2
    await stage.sessions.act(session, right_address("ada", RIGHT))
    await stage.sessions.act(session, ACT)
    await told(stage, session, 1)
    await eventually(lambda: asyncio.sleep(0, replaced(stage.effects)), lambda mails: mails == {WRONG: 1})


async def test_a_reminder_at_once_has_the_same_link_and_is_sent_once(stage: Stage) -> None:
    session = await stage.send(recipient("ada"))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].can_be_reminded)
    await eventually(lambda: stage.is_at_rest(session), bool)

    await stage.sessions.act(session, remind_of("ada"))
    with pytest.raises(TooOften):
        await stage.sessions.act(session, remind_of("ada"))

    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered == 1)
    assert [one.invitation.link for one in stage.effects.reminded] == [stage.effects.invited[0].link]
    await stage.sessions.act(session, signed_by("ada"))


async def test_a_later_deadline_replaces_the_timer(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await stage.send(recipient("ada"), expiry_days=2)
    await stage.sessions.act(session, expire_after(5))
    await stage.pass_time(3 * DAY)
    assert (await seen(stage, session)).status is SessionStatus.PENDING
    with pytest.raises(ExpiryNotLater):
        await stage.sessions.act(session, expire_after(4))
    await stage.pass_time(2 * DAY)
    assert (await result_of(stage, session)).status is SessionStatus.EXPIRED


async def test_without_a_deadline_a_session_does_not_expire(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await stage.send(recipient("ada"), expiry_days=2)
    await stage.sessions.act(session, expire_after(None))
    await stage.pass_time(400 * DAY)
    await stage.sessions.act(session, signed_by("ada"))


async def test_other_reminders_replace_the_timer(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await stage.send(recipient("ada"))
    await stage.sessions.act(session, remind_every(ReminderFrequency.DAILY))
    await stage.pass_time(DAY + timedelta(minutes=1))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered == 1)
    await stage.sessions.act(session, remind_every(ReminderFrequency.WEEKLY))
    await stage.pass_time(5 * DAY)
    assert len(stage.effects.reminded) == 1
    await stage.pass_time(DAY)
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered == 2)
