"""Edits of drafts; corrections, reminders and other deadlines of open sessions (Specification 3.7)."""

from datetime import timedelta

import pytest

from domain.audit.events import EventType
from domain.session.edits import (
    Correction,
    Expiry,
    ScheduleChange,
    correct_recipient,
    edit_draft,
    find_remindable,
    remind_recipient,
    reschedule,
)
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.recipients import HOUR, MAX_PER_HOUR, RecipientStatus
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.shared.errors import ExpiryNotLater, NotADraft, RecipientNotActive, SessionNotActive, TooOften
from tests.builders import NOON, audit, created, recipient, submission
from tests.domain.situations import ADA, DAYS, GRACE, LATE, drafted, sent

RIGHT = Correction(name="Ada King", email="ada@right.example")
DAY = timedelta(days=1)


def opened() -> Session:
    """Ada has her invitation and has opened the documents."""
    return sent().with_delivery(ADA, 1).view(ADA, audit()).session


def test_an_edit_names_the_changed_members_and_not_their_values() -> None:
    values = {"name": "Lease", "message": None, "expiry_days": 7, "metadata": {"customer": "northwind"}}
    step = edit_draft(drafted(), values, audit(NOON + HOUR))
    assert (step.session.name, step.session.expiry_days, step.session.updated_at) == ("Lease", 7, NOON + HOUR)
    assert [(event.type, event.details) for event in step.events] == [
        (EventType.SESSION_EDITED, {"changed": "expiryDays, metadata, name"})
    ]


def test_an_edit_without_a_change_is_no_event() -> None:
    draft = drafted()
    assert edit_draft(draft, {"name": draft.name, "recipients": draft.recipients}, audit()) == (draft, ())


def test_the_error_of_an_edit_names_what_can_be_changed() -> None:
    with pytest.raises(NotADraft, match="only expiryDays, reminderEnabled and reminderFrequency"):
        edit_draft(sent(), {"name": "Lease"}, audit())


def test_another_address_is_invited_and_the_earlier_one_notified() -> None:
    before = opened()
    step = correct_recipient(before, ADA, RIGHT, audit(NOON + HOUR))
    ada = step.session.recipient(ADA)
    assert (ada.name, ada.email, ada.status, ada.viewed_at, ada.devices) == (
        "Ada King", "ada@right.example", RecipientStatus.PENDING, None, (),
    )  # fmt: skip
    assert (ada.invitation.number, ada.has_pending_invitation, ada.is_notified) == (2, True, False)
    assert [event.type for event in step.events] == [EventType.RECIPIENT_CORRECTED, EventType.RECIPIENT_INVITED]
    assert step.events[0].details == {
        "recipientId": ADA,
        "previousName": "Ada",
        "name": "Ada King",
        "previousEmail": "ada@example.com",
        "email": "ada@right.example",
    }
    [mail] = step.session.due_outcome_mails
    assert (mail.kind, mail.to_name, mail.to_email) == (OutcomeMailKind.REPLACED, "Ada", "ada@example.com")
    assert step.session.head == step.events[-1].hash


def test_another_name_keeps_link_status_and_mails() -> None:
    before = opened()
    step = correct_recipient(before, ADA, Correction(name="Ada King"), audit())
    assert step.session.recipient(ADA) == before.recipient(ADA).model_copy(update={"name": "Ada King"})
    assert (step.session.outcome_mails, len(step.events)) == ((), 1)


def test_a_correction_without_a_change_is_no_event() -> None:
    before = opened()
    assert correct_recipient(before, ADA, Correction(name="Ada", email="ada@example.com"), audit()) == (before, ())


def test_a_recipient_who_waits_is_corrected_without_a_mail() -> None:
    step = correct_recipient(sent(), GRACE, Correction(email="grace@right.example"), audit())
    grace = step.session.recipient(GRACE)
    assert (grace.email, grace.status, grace.invitation.number) == ("grace@right.example", RecipientStatus.WAITING, 0)
    assert (step.session.outcome_mails, [e.type for e in step.events]) == ((), [EventType.RECIPIENT_CORRECTED])


def test_an_address_that_was_never_reached_is_not_notified() -> None:
    assert correct_recipient(sent(), ADA, RIGHT, audit()).session.outcome_mails == ()


def test_an_address_of_another_recipient_is_not_notified() -> None:
    people = (recipient("ada"), recipient("mary", email="ada@example.com"))
    session = created(*people).session.send(audit()).session.with_delivery(ADA, 1)
    assert correct_recipient(session, ADA, RIGHT, audit()).session.outcome_mails == ()


def test_a_correction_that_is_taken_back_withdraws_the_mail_that_was_not_sent() -> None:
    away = correct_recipient(opened(), ADA, RIGHT, audit()).session
    back = correct_recipient(away, ADA, Correction(name="Ada", email="ada@example.com"), audit()).session
    assert (back.outcome_mails, back.recipient(ADA).invitation.number) == ((), 3)


def test_the_mail_to_an_earlier_address_is_due_in_every_status() -> None:
    corrected = correct_recipient(opened(), ADA, RIGHT, audit()).session
    for later in (
        corrected,
        corrected.archive(audit()).session,
        corrected.decline(ADA, "No.", audit()).session,
        corrected.sign(ADA, submission(), audit()).session,
    ):
        assert OutcomeMailKind.REPLACED in {mail.kind for mail in later.due_outcome_mails}
        assert later.has_pending_outcome_mails


def test_corrections_count_as_invitations() -> None:
    session = opened()
    for number in range(MAX_PER_HOUR - 1):
        session = correct_recipient(session, ADA, Correction(email=f"{number}@example.com"), audit()).session
    with pytest.raises(TooOften):
        correct_recipient(session, ADA, RIGHT, audit())
    assert correct_recipient(session, ADA, Correction(name="Ada King"), audit()).events


def test_the_error_about_a_draft_leads_to_the_right_request() -> None:
    for act in (
        lambda: correct_recipient(drafted(), ADA, RIGHT, audit()),
        lambda: remind_recipient(drafted(), ADA, audit()),
        lambda: reschedule(drafted(), ScheduleChange(), audit()),
    ):
        with pytest.raises(SessionNotActive, match="use Update Session"):
            act()


def test_a_reminder_now_is_a_reminder_of_the_same_invitation() -> None:
    step = remind_recipient(opened(), ADA, audit(NOON + HOUR))
    ada = step.session.recipient(ADA)
    assert (ada.has_pending_reminder, ada.reminders, ada.reminded_at) == (True, 1, NOON + HOUR)
    assert (ada.invitation.number, step.session.next_reminder_at) == (1, opened().next_reminder_at)
    assert [(e.type, e.actor.kind.value) for e in step.events] == [(EventType.RECIPIENT_REMINDED, "client")]


def test_a_recipient_is_reminded_once_an_hour_also_by_the_schedule() -> None:
    due = NOON + 7 * DAY
    session = opened().remind(audit(due)).session.with_reminder(ADA, 1)
    with pytest.raises(TooOften):
        remind_recipient(session, ADA, audit(due + HOUR - timedelta(seconds=1)))
    assert remind_recipient(session, ADA, audit(due + HOUR)).session.recipient(ADA).reminders == 2


def test_a_recipient_whose_invitation_was_rejected_is_not_reminded() -> None:
    session = sent().fail_invitation(ADA, 1, "550", audit()).session
    with pytest.raises(RecipientNotActive, match="Correct the recipient's address"):
        remind_recipient(session, ADA, audit())
    corrected = correct_recipient(session, ADA, RIGHT, audit()).session
    assert corrected.recipient(ADA).has_pending_invitation


def test_a_later_expiry_brings_further_reminders() -> None:
    session = sent().with_next_reminder(NOON + 29 * DAY)
    assert session.next_reminder_at is None  # the next one would come after the expiry
    step = reschedule(session, ScheduleChange(expiry=Expiry(days=60)), audit(NOON + 29 * DAY))
    assert (step.session.expiry_days, step.session.expires_at) == (60, NOON + 60 * DAY)
    assert step.session.next_reminder_at == NOON + 35 * DAY
    assert step.events[0].details == {
        "previousExpiryDate": "2026-07-12T12:00:00.000Z",
        "expiryDate": "2026-08-11T12:00:00.000Z",
        "previousReminders": "weekly",
        "reminders": "weekly",
    }


def test_the_expiry_can_be_removed() -> None:
    session = reschedule(sent(), ScheduleChange(expiry=Expiry(days=None)), audit()).session
    assert (session.expiry_days, session.expires_at) == (None, None)
    with pytest.raises(ExpiryNotLater):
        reschedule(session, ScheduleChange(expiry=Expiry(days=90)), audit())


def test_the_expiry_is_never_moved_forward() -> None:
    with pytest.raises(ExpiryNotLater):
        reschedule(sent(), ScheduleChange(expiry=Expiry(days=DAYS - 1)), audit())


def test_reminders_change_without_the_expiry() -> None:
    change = ScheduleChange(reminder_frequency=ReminderFrequency.DAILY)
    session = reschedule(sent(), change, audit()).session
    assert (session.next_reminder_at, session.expires_at) == (NOON + DAY, LATE)
    stopped = reschedule(session, ScheduleChange(reminder_enabled=False), audit()).session
    assert (stopped.next_reminder_at, stopped.reminder_frequency) == (None, ReminderFrequency.DAILY)


def test_nothing_changes_after_the_expiry_date_has_passed() -> None:
    for act in (
        lambda: correct_recipient(sent(), ADA, RIGHT, audit(LATE)),
        lambda: remind_recipient(sent(), ADA, audit(LATE)),
        lambda: reschedule(sent(), ScheduleChange(expiry=Expiry(days=90)), audit(LATE)),
    ):
        with pytest.raises(SessionNotActive, match="expired"):
            act()


def test_whose_turn_it_is_can_be_reminded_and_the_refusal_is_theirs() -> None:
    session = opened()
    assert [one.recipient_id for one in find_remindable(session, NOON)] == [ADA]
    reminded = remind_recipient(session, ADA, audit()).session
    with pytest.raises(TooOften, match="within the last hour"):
        find_remindable(reminded, NOON)
    with pytest.raises(SessionNotActive):
        find_remindable(drafted(), NOON)
