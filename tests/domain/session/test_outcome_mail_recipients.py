"""The schedule of reminders, mails about the outcome of a session, and permanently rejected mails."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from domain.audit.events import EventType
from domain.session.outcome_mail_kinds import CompletionMails, OutcomeMailKind
from domain.session.recipients import RecipientStatus
from domain.session.reminder_schedule import ReminderFrequency, next_reminder
from domain.session.session import Session
from domain.shared.errors import NotDue, SessionNotFound
from domain.shared.ids import RecipientId, UserId
from tests.builders import NOON, audit, created, identifier, recipient, submission
from tests.domain.situations import ADA, DAYS, GRACE, LATE, store_document

F = ReminderFrequency
MARY = RecipientId(identifier("mary"))
ANSWER = "550 5.1.1 no such user"


def informed(**settings: object) -> Session:
    """Ada and Grace were invited together; Mary, who comes after them, knows of nothing."""
    people = (recipient("ada", 1), recipient("grace", 1), recipient("mary", 2))
    settings = {
        "sender_email": "contracts@northwind.example",
        "expiry_days": DAYS,
        "reminder_enabled": True,
        **settings,
    }
    session = created(*people, **settings).session.send(audit()).session
    return session.with_delivery(ADA, 1).with_delivery(GRACE, 1)


def signed(session: Session) -> Session:
    for who, key in ((ADA, "ada"), (GRACE, "grace"), (MARY, "mary")):
        session = session.sign(who, submission(key), audit()).session
    return session


def delivered(session: Session) -> Session:
    for notice in session.due_outcome_mails:
        session = session.without_outcome_mail(notice)
    return session


def due(session: Session) -> dict[OutcomeMailKind, set[RecipientId | None]]:
    """The recipients of the due mails, by kind; None is the sender."""
    return {
        kind: {notice.recipient_id for notice in session.due_outcome_mails if notice.kind is kind}
        for kind in {notice.kind for notice in session.due_outcome_mails}
    }


OLIVIA = UserId(identifier("olivia"))


def followed() -> Session:
    """As `informed`, sent by Olivia."""
    people = (recipient("ada", 1), recipient("grace", 1))
    session = created(*people, sender_email="contracts@northwind.example").session.send(audit(), OLIVIA).session
    return session.with_delivery(ADA, 1).with_delivery(GRACE, 1)


def of_user(session: Session) -> list[tuple[OutcomeMailKind, RecipientId | None]]:
    return [(mail.kind, mail.signer_id) for mail in session.due_outcome_mails if mail.user_id == OLIVIA]


def test_the_user_who_sent_it_is_told_of_each_signature_but_the_last_and_of_the_end() -> None:
    session = followed().sign(ADA, submission("ada"), audit()).session
    assert of_user(session) == [(OutcomeMailKind.SIGNED, ADA)]
    session = session.sign(GRACE, submission("grace"), audit()).session
    assert of_user(session) == []
    assert not session.has_pending_outcome_mails
    assert of_user(store_document(session).session) == [(OutcomeMailKind.COMPLETED, None)]


@pytest.mark.parametrize(
    ("setting", "who"),
    [(CompletionMails.ALL, {OutcomeMailKind.SIGNED: {ADA}}), (CompletionMails.SENDER, {}), (CompletionMails.NONE, {})],
)
def test_signers_get_a_confirmation_unless_they_complete_the_session(
    setting: CompletionMails, who: dict[OutcomeMailKind, set[RecipientId | None]]
) -> None:
    first = informed(completion_mails=setting).sign(ADA, submission("ada"), audit()).session
    assert due(first) == who
    assert signed(informed(completion_mails=setting)).outcome_mails == ()


def test_a_session_that_was_sent_before_there_were_confirmations_has_none() -> None:
    earlier = informed().model_copy(update={"confirms_acts": False})
    assert due(earlier.sign(ADA, submission("ada"), audit()).session) == {}


def test_the_user_who_sent_it_is_told_when_somebody_declines_and_not_of_a_withdrawal() -> None:
    assert of_user(followed().decline(ADA, "No.", audit()).session) == [(OutcomeMailKind.DECLINED, None)]
    assert of_user(followed().archive(audit()).session) == []


def test_mails_of_one_cause_have_different_names() -> None:
    names = [mail.name for mail in followed().decline(ADA, "No.", audit()).session.due_outcome_mails]
    assert len(names) == len(set(names)) == 3


def test_a_reason_is_part_of_the_history_and_ends_with_the_restore() -> None:
    step = informed().archive(audit(), "The fee was wrong.")
    assert step.events[0].details == {"previousStatus": "pending", "reason": "The fee was wrong."}
    assert step.session.archive_reason == "The fee was wrong."
    assert step.session.restore(audit()).session.archive_reason is None
    assert informed().archive(audit()).events[0].details == {"previousStatus": "pending"}


@pytest.mark.parametrize(
    ("setting", "who"),
    [
        (CompletionMails.ALL, {OutcomeMailKind.COMPLETED: {ADA, GRACE, MARY, None}}),
        (CompletionMails.SENDER, {OutcomeMailKind.COMPLETED: {None}}),
        (CompletionMails.NONE, {}),
    ],
)
def test_the_signed_documents_are_announced_as_the_setting_says(
    setting: CompletionMails, who: dict[OutcomeMailKind, set[RecipientId | None]]
) -> None:
    assert due(signed(informed(completion_mails=setting))) == {}
    assert due(store_document(signed(informed(completion_mails=setting))).session) == who


ENDINGS: dict[str, tuple[Callable[[Session], Session], dict[OutcomeMailKind, set[RecipientId | None]]]] = {
    "declined": (
        lambda session: session.decline(ADA, "The fee is wrong.", audit()).session,
        {OutcomeMailKind.DECLINED: {GRACE, None}},
    ),
    "expired": (lambda session: session.expire(audit(LATE)).session, {OutcomeMailKind.EXPIRED: {ADA, GRACE, None}}),
    "archived": (lambda session: session.archive(audit()).session, {OutcomeMailKind.CANCELLED: {ADA, GRACE}}),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_recipients_who_know_of_a_session_and_the_sender_get_a_mail_when_it_ends(ending: str) -> None:
    end, people = ENDINGS[ending]
    assert due(end(informed())) == people
    without_sender = {kind: {one for one in ids if one} for kind, ids in people.items()}
    assert due(end(informed(sender_email=None))) == without_sender
    assert due(end(informed()).erase(audit()).session) == {}


def test_archiving_a_draft_or_an_ended_session_sends_no_mail() -> None:
    assert due(created(sender_email="a@example.com").session.archive(audit()).session) == {}
    over = store_document(signed(informed(completion_mails=CompletionMails.NONE))).session
    assert due(over.archive(audit()).session) == {}


def test_mails_about_the_end_of_an_archived_session_follow_its_restore() -> None:
    archived = store_document(signed(informed()).archive(audit()).session).session
    assert due(archived) == {}
    assert due(archived.restore(audit()).session) == {OutcomeMailKind.COMPLETED: {ADA, GRACE, MARY, None}}


def test_a_restore_in_time_withdraws_the_mail() -> None:
    assert due(informed().archive(audit()).session.restore(audit()).session) == {}


def test_a_session_that_expired_while_archived_sends_only_that_mail() -> None:
    restored = informed().archive(audit()).session.restore(audit(LATE)).session
    assert due(restored) == {OutcomeMailKind.EXPIRED: {ADA, GRACE, None}}


def test_a_delivered_mail_is_not_due_again() -> None:
    session = informed().archive(audit()).session
    first, second = session.due_outcome_mails
    assert session.without_outcome_mail(first).due_outcome_mails == (second,)


def test_the_same_outcome_a_second_time_is_another_mail() -> None:
    once = informed().archive(audit()).session
    later = audit(NOON + timedelta(hours=1))
    twice = delivered(once).restore(later).session.archive(later).session
    assert due(twice) == {OutcomeMailKind.CANCELLED: {ADA, GRACE}}
    assert {notice.name for notice in once.outcome_mails}.isdisjoint(notice.name for notice in twice.outcome_mails)


def test_archiving_again_within_an_hour_sends_no_mail() -> None:
    once = delivered(informed().archive(audit()).session)
    soon = audit(NOON + timedelta(minutes=59))
    assert due(once.restore(soon).session.archive(soon).session) == {}


def test_a_pending_mail_is_sent_once_after_archiving_again() -> None:
    once = informed().archive(audit()).session
    later = audit(NOON + timedelta(hours=2))
    twice = once.restore(audit()).session.archive(later).session
    assert twice.outcome_mails == once.outcome_mails
    assert twice.due_outcome_mails == once.outcome_mails


def test_a_pending_mail_is_not_sent_after_the_session_has_ended() -> None:
    restored = informed(completion_mails=CompletionMails.NONE).archive(audit()).session.restore(audit()).session
    over = store_document(signed(restored)).session
    assert not over.has_pending_outcome_mails
    assert due(over.archive(audit()).session) == {}


def test_a_rejected_invitation_is_an_event() -> None:
    step = informed().fail_invitation(ADA, 1, ANSWER, audit())
    [event] = step.events
    assert event.type is EventType.RECIPIENT_INVITATION_FAILED
    assert event.details == {"recipientId": ADA, "invitation": 1, "reason": ANSWER}
    ada = step.session.recipient(ADA)
    assert (ada.status, ada.is_unreachable, ada.has_pending_invitation) == (RecipientStatus.PENDING, True, False)


def test_an_unreachable_recipient_is_not_reminded_and_others_are() -> None:
    session = informed().fail_invitation(ADA, 1, ANSWER, audit()).session
    reminded = session.remind(audit(NOON + timedelta(days=7))).session
    assert [r.has_pending_reminder for r in reminded.recipients] == [False, True, False]


@pytest.mark.parametrize(("hours", "is_reminded"), [(1, False), (11, False), (12, True)])
def test_the_schedule_leaves_out_who_was_just_invited(hours: int, *, is_reminded: bool) -> None:
    due = NOON + timedelta(days=7)
    session = informed().invite(ADA, audit(due - timedelta(hours=hours))).session.with_delivery(ADA, 2)
    assert session.remind(audit(due)).session.recipient(ADA).has_pending_reminder == is_reminded
    earlier = session.model_copy(update={"spaces_reminders": False})
    assert earlier.remind(audit(due)).session.recipient(ADA).has_pending_reminder


def test_a_rejected_reminder_is_not_attempted_again() -> None:
    reminded = informed().remind(audit(NOON + timedelta(days=7))).session
    failed = reminded.fail_invitation(ADA, 1, ANSWER, audit()).session.recipient(ADA)
    assert (failed.has_pending_reminder, failed.is_unreachable) == (False, True)


def test_another_invitation_is_attempted() -> None:
    session = informed().fail_invitation(ADA, 1, ANSWER, audit()).session
    ada = session.invite(ADA, audit()).session.recipient(ADA)
    assert (ada.is_unreachable, ada.has_pending_invitation, ada.invitation.refusal) == (False, True, None)


def test_an_unreachable_recipient_may_sign_with_an_earlier_link() -> None:
    session = informed().fail_invitation(ADA, 1, ANSWER, audit()).session
    assert session.sign(ADA, submission(), audit()).session.recipient(ADA).status is RecipientStatus.COMPLETED


@pytest.mark.parametrize(
    "after",
    [
        lambda session: session.invite(ADA, audit()).session,
        lambda session: session.archive(audit()).session,
        lambda session: session.sign(ADA, submission(), audit()).session,
        lambda session: session.fail_invitation(ADA, 1, ANSWER, audit()).session,
    ],
)
def test_a_late_rejection_changes_nothing(after: Callable[[Session], Session]) -> None:
    with pytest.raises(NotDue):
        after(informed()).fail_invitation(ADA, 1, ANSWER, audit())
    with pytest.raises(SessionNotFound):
        informed().erase(audit()).session.fail_invitation(ADA, 1, ANSWER, audit())


def day(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}T09:30:00").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("frequency", "sent", "dates"),
    [
        (F.DAILY, "2026-02-27", ["2026-02-28", "2026-03-01", "2026-03-02"]),
        (F.WEEKLY, "2026-12-28", ["2027-01-04", "2027-01-11"]),
        (F.MONTHLY, "2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]),
        (F.MONTHLY, "2027-12-31", ["2028-01-31", "2028-02-29", "2028-03-31"]),
        (F.QUARTERLY, "2026-11-30", ["2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30"]),
    ],
)
def test_one_reminder_after_another(frequency: ReminderFrequency, sent: str, dates: list[str]) -> None:
    at, found = day(sent), []
    for _ in dates:
        at = next_reminder(day(sent), frequency, at)
        found.append(at)
    assert found == [day(date) for date in dates]


@pytest.mark.parametrize("frequency", list(F))
def test_a_reminder_is_always_later_and_none_is_left_out(frequency: ReminderFrequency) -> None:
    due = next_reminder(NOON, frequency, NOON)
    for _ in range(40):
        assert next_reminder(NOON, frequency, due - timedelta(milliseconds=1)) == due
        following = next_reminder(NOON, frequency, due)
        assert following > due
        due = following


def test_after_a_long_time_the_next_one_is_still_to_come() -> None:
    assert next_reminder(day("2026-01-01"), F.DAILY, day("2027-06-15") + timedelta(hours=3)) == day("2027-06-16")
    assert next_reminder(day("2026-01-31"), F.QUARTERLY, day("2027-06-15")) == day("2027-07-31")
