"""Reminders and expiry on a server whose time can be skipped."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.session.recipients import RecipientStatus
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session, Transition
from domain.session.status import SessionStatus
from domain.shared.errors import SessionNotActive
from domain.shared.ids import RecipientId
from tests.builders import audit, created, identifier, recipient
from tests.workflows.acts import ACT, RESTORE, opened_by, signed_by
from tests.workflows.stage import Stage, seen
from tests.workflows.waiting import eventually

DAY = timedelta(days=1)


@pytest.fixture
def stage(timed_stage: Stage) -> Stage:
    return timed_stage


async def sent(stage: Stage, **settings: object) -> Session:
    """Sent to Ada, who has her invitation."""
    return await stage.send(recipient("ada"), **settings)


def sent_at(session: Session) -> datetime:
    assert session.sent_at
    return session.sent_at


async def test_a_year_of_monthly_reminders(stage: Stage) -> None:
    session = await sent(stage, reminder_enabled=True, reminder_frequency=ReminderFrequency.MONTHLY)

    for number in range(1, 13):
        await stage.pass_time(31 * DAY)
        await eventually(lambda: seen(stage, session), lambda now, n=number: now.recipients[0].reminders_delivered >= n)

    months = [request.due_at.month for request in stage.effects.reminded]
    first = sent_at(session).month
    assert months[:12] == [(first + number) % 12 + 1 for number in range(12)]
    assert {request.invitation.link for request in stage.effects.reminded} == {stage.effects.invited[0].link}


async def test_no_reminder_is_sent_after_signing(stage: Stage) -> None:
    session = await sent(stage, reminder_enabled=True, reminder_frequency=ReminderFrequency.DAILY)
    await stage.sessions.act(session, signed_by("ada"))
    await stage.pass_time(3 * DAY)
    assert stage.effects.reminded == []


async def test_reminders_stop_while_archived_and_go_on_after_restoring(stage: Stage) -> None:
    session = await sent(stage, reminder_enabled=True, reminder_frequency=ReminderFrequency.DAILY)
    await stage.sessions.act(session, ACT)
    await stage.pass_time(3.5 * DAY)
    assert stage.effects.reminded == []

    assert (await stage.sessions.act(session, RESTORE)).next_reminder_at == sent_at(session) + 4 * DAY
    await stage.pass_time(DAY)
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered == 1)


async def test_reminders_that_came_due_while_everything_was_down_are_one(stage: Stage) -> None:
    draft = created(recipient("ada"), reminder_enabled=True, reminder_frequency=ReminderFrequency.DAILY)
    sent_long_ago = draft.session.send(audit(at=datetime.now(UTC) - 5.5 * DAY))
    delivered = sent_long_ago.session.with_delivery(RecipientId(identifier("ada")), 1)
    session = await stage.start(Transition(delivered, (*draft.events, *sent_long_ago.events)), send=False)
    await stage.runs.start(session)

    now = await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered == 1)

    assert len(stage.effects.reminded) == 1
    assert now.next_reminder_at == sent_at(session) + 6 * DAY


async def test_a_reminder_that_cannot_leave_is_sent_once_when_it_can(stage: Stage) -> None:
    session = await sent(stage, reminder_enabled=True, reminder_frequency=ReminderFrequency.DAILY)
    stage.effects.failures["send_reminder"] = 1_000_000
    await stage.pass_time(4.5 * DAY)
    stage.effects.failures["send_reminder"] = 0
    await stage.pass_time(timedelta(minutes=10))

    await eventually(lambda: seen(stage, session), lambda now: not now.recipients[0].has_pending_reminder)
    assert len(stage.effects.reminded) == 1


async def test_a_session_expires_at_its_date_and_no_sooner(stage: Stage) -> None:
    session = await sent(stage, expiry_days=30)
    assert session.expires_at == sent_at(session) + 30 * DAY

    await stage.pass_time(30 * DAY - timedelta(minutes=5))
    assert (await seen(stage, session)).status is SessionStatus.PENDING
    await stage.sessions.act(session, opened_by("ada"))
    await stage.pass_time(timedelta(minutes=5, seconds=10))

    expired = await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.EXPIRED)
    assert expired.recipients[0].status is RecipientStatus.EXPIRED
    assert expired.updated_at - sent_at(session) - 30 * DAY < timedelta(seconds=10)
    with pytest.raises(SessionNotActive):
        await stage.sessions.act(session, signed_by("ada"))


async def test_a_session_that_expired_while_archived_is_expired_when_it_is_restored(stage: Stage) -> None:
    session = await sent(stage, expiry_days=2)
    await stage.sessions.act(session, ACT)
    await stage.pass_time(3 * DAY)
    assert (await seen(stage, session)).status is SessionStatus.CANCELLED

    assert (await stage.sessions.act(session, RESTORE)).status is SessionStatus.EXPIRED
