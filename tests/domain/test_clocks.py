"""Reminders and expiry as the session decides them: when, of whom, and what stops them."""

from datetime import timedelta

import pytest

from domain.audit.events import EventType
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import NotDue, SessionNotActive
from domain.shared.ids import RecipientId
from tests.builders import NOON, audit, created, identifier, recipient, submission

ADA, GRACE = RecipientId(identifier("ada")), RecipientId(identifier("grace"))
WEEK = timedelta(days=7)
E, R, S = EventType, RecipientStatus, SessionStatus


def sent(**settings: object) -> Session:
    """Sent at noon, with reminders every week and the first invitation delivered."""
    step = created(**{"reminder_enabled": True, "expiry_days": 30, **settings})
    return step.session.send(audit()).session.with_delivery(ADA, 1)


def test_the_clocks_start_with_sending() -> None:
    draft = created(reminder_enabled=True, expiry_days=30).session
    assert (draft.next_reminder_at, draft.expires_at) == (None, None)
    session = sent()
    assert (session.next_reminder_at, session.expires_at) == (NOON + WEEK, NOON + timedelta(days=30))


def test_without_reminders_and_expiry_there_are_no_clocks() -> None:
    session = sent(reminder_enabled=False, expiry_days=None)
    assert (session.next_reminder_at, session.expires_at) == (None, None)


def test_only_active_recipients_are_reminded() -> None:
    step = sent().remind(audit(NOON + WEEK))
    assert [(event.type, event.details["recipientId"]) for event in step.events] == [(E.RECIPIENT_REMINDED, ADA)]
    assert step.session.next_reminder_at == NOON + 2 * WEEK
    assert step.session.recipient(ADA).has_pending_reminder
    assert not step.session.with_reminder(ADA, 1).recipient(ADA).has_pending_reminder


def test_however_many_periods_were_missed_one_reminder_is_sent() -> None:
    step = sent().remind(audit(NOON + 3 * WEEK + timedelta(hours=1)))
    assert len(step.events) == 1
    assert step.session.next_reminder_at == NOON + 4 * WEEK


def test_a_recipient_with_a_pending_mail_is_not_reminded() -> None:
    uninvited = created(reminder_enabled=True).session.send(audit()).session
    assert uninvited.remind(audit(NOON + WEEK)).events == ()
    reminded = sent().remind(audit(NOON + WEEK)).session
    assert reminded.remind(audit(NOON + 2 * WEEK)).events == ()


def test_a_reminder_before_its_time_is_not_due() -> None:
    with pytest.raises(NotDue):
        sent().remind(audit(NOON + WEEK - timedelta(milliseconds=1)))


def test_the_last_reminder_is_before_the_expiry_date() -> None:
    session = sent(expiry_days=7)
    assert session.next_reminder_at is None


def test_a_new_invitation_stands_for_a_reminder_that_has_not_left() -> None:
    session = sent().remind(audit(NOON + WEEK)).session.invite(ADA, audit(NOON + WEEK)).session
    assert not session.recipient(ADA).has_pending_reminder
    assert session.recipient(ADA).has_pending_invitation
    assert session.recipient(ADA).invitation.number == 2


@pytest.mark.parametrize("how", ["archived", "declined", "completed"])
def test_reminders_stop(how: str) -> None:
    session = sent().remind(audit(NOON + WEEK)).session
    at = audit(NOON + WEEK)
    if how == "archived":
        session = session.archive(at).session
    elif how == "declined":
        session = session.decline(ADA, "No.", at).session
    else:
        session = session.sign(ADA, submission(), at).session.sign(GRACE, submission("grace"), at).session
    assert session.next_reminder_at is None
    assert not any(r.has_pending_reminder for r in session.recipients)


def test_restoring_schedules_the_next_reminder() -> None:
    archived = sent().remind(audit(NOON + WEEK)).session.archive(audit(NOON + WEEK)).session
    restored = archived.restore(audit(NOON + 3 * WEEK)).session
    assert restored.next_reminder_at == NOON + 4 * WEEK
    assert not restored.recipient(ADA).has_pending_reminder


def test_signing_ends_with_the_expiry_date_to_the_millisecond() -> None:
    session, date = sent(), NOON + timedelta(days=30)
    assert session.sign(ADA, submission(), audit(date - timedelta(milliseconds=1))).session.status is S.IN_PROGRESS
    for act in (
        lambda: session.sign(ADA, submission(), audit(date)),
        lambda: session.view(ADA, audit(date)),
        lambda: session.decline(ADA, "No.", audit(date)),
        lambda: session.invite(ADA, audit(date)),
    ):
        with pytest.raises(SessionNotActive):
            act()
    with pytest.raises(NotDue):
        session.expire(audit(date - timedelta(milliseconds=1)))
    assert session.expire(audit(date)).session.status is S.EXPIRED


def test_recipients_who_have_not_signed_expire_with_the_session() -> None:
    session = sent().sign(ADA, submission(), audit()).session
    step = session.expire(audit(NOON + timedelta(days=30)))
    assert [r.status for r in step.session.recipients] == [R.COMPLETED, R.EXPIRED]
    assert [event.type for event in step.events] == [E.SESSION_EXPIRED]


def test_restoring_after_the_expiry_date_leads_to_expired() -> None:
    archived = sent().archive(audit()).session
    step = archived.restore(audit(NOON + timedelta(days=31)))
    assert step.session.status is S.EXPIRED
    assert [event.type for event in step.events] == [E.SESSION_RESTORED, E.SESSION_EXPIRED]
    assert [r.status for r in step.session.recipients] == [R.EXPIRED, R.EXPIRED]


def test_an_archived_draft_knows_no_expiry() -> None:
    draft = created(expiry_days=1).session.archive(audit()).session
    assert draft.restore(audit(NOON + timedelta(days=31))).session.status is S.DRAFT


def test_declining_cancels_all_others_and_keeps_the_reason() -> None:
    session = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2)).session.send(audit()).session
    step = session.decline(GRACE, "The fee is wrong.", audit())
    assert [r.status for r in step.session.recipients] == [R.CANCELLED, R.DECLINED, R.CANCELLED]
    assert step.session.recipient(GRACE).decline_reason == "The fee is wrong."
    assert [event.type for event in step.events] == [E.RECIPIENT_DECLINED, E.SESSION_DECLINED]
    assert step.session.is_final


def test_restoring_an_archived_declined_session_changes_no_recipient() -> None:
    declined = sent().decline(ADA, "No.", audit()).session
    restored = declined.archive(audit()).session.restore(audit()).session
    assert restored.recipients == declined.recipients
