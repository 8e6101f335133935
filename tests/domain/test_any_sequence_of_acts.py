"""What holds of a session after any sequence of acts, by anybody, at any pace."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.session.edits import Correction, correct_recipient, remind_recipient
from domain.session.outcome_mail_kinds import CompletionMails, OutcomeMailKind
from domain.session.outcome_mail_recipients import replacement_mails, with_late_delivery
from domain.session.recipients import HOUR, MAX_PER_HOUR, Recipient, RecipientStatus
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import SigningError, TooOften
from domain.shared.ids import RecipientId
from tests.builders import NOON, audit, created, identifier, recipient, reference, submission

MOST_MAILS = MAX_PER_HOUR + 6
"""Invitations and mails to an address that is no longer theirs, and in the same hour a late reminder, the next one, one
that was requested, a withdrawal, and how the session ended."""

PEOPLE = {key: RecipientId(identifier(key)) for key in ("ada", "grace", "mary")}

ACTS = st.sampled_from(
    [
        "send",
        "archive",
        "restore",
        "remind",
        "expire",
        "store",
        "deliver",
        *(f"{act} {key}" for act in ("invite", "chase", "correct", "view", "sign", "decline") for key in PEOPLE),
    ]
)
PAUSES = st.sampled_from([0, 1, 60, 1_200, 3_599, 3_600, 86_400, 7 * 86_400])
PACES = st.lists(st.tuples(ACTS, PAUSES), max_size=60)
"""What is tried one after another, and the seconds before each."""

BUSY = st.lists(
    st.sampled_from(["archive", "restore", "deliver", "invite ada", "chase ada", "correct ada", "remind"]), max_size=120
)
"""What a program does that wants to mail much: as fast as it can."""


def made() -> Session:
    people = (recipient("ada", 1), recipient("grace", 1), recipient("mary", 2))
    settings = {"expiry_days": 30, "reminder_enabled": True, "reminder_frequency": ReminderFrequency.DAILY}
    return created(*people, completion_mails=CompletionMails.ALL, **settings).session


def done(session: Session, act: str, at: datetime) -> Session:
    """The session after `act`; as it was, if the act is refused."""
    name, _, key = act.partition(" ")
    now, who = audit(at), PEOPLE.get(key, PEOPLE["ada"])
    acts: dict[str, Callable[[], Session]] = {
        "deliver": lambda: delivered(session),
        "sign": lambda: session.sign(who, submission(key), now).session,
        "decline": lambda: session.decline(who, "No.", now).session,
        "invite": lambda: session.invite(who, now).session,
        "chase": lambda: remind_recipient(session, who, now).session,
        "correct": lambda: correct_recipient(session, who, other_address(session, who), now).session,
        "view": lambda: session.view(who, now).session,
        "store": lambda: session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), now).session,
    }
    try:
        return acts[name]() if name in acts else getattr(session, name)(now).session
    except SigningError:
        return session


def other_address(session: Session, recipient_id: RecipientId) -> Correction:
    """The one of two addresses that the recipient does not have."""
    here, there = ("@example.com", "@another.example")
    email = session.recipient(recipient_id).email
    return Correction(email=email.replace(there, here) if there in email else email.replace(here, there))


def delivered(session: Session) -> Session:
    """The session after all mails that were due have left."""
    for one in session.recipients:
        if one.has_pending_invitation:
            session = session.with_delivery(one.recipient_id, one.invitation.number)
        if one.has_pending_reminder:
            session = session.with_reminder(one.recipient_id, one.reminders)
    for notice in session.due_outcome_mails:
        session = session.without_outcome_mail(notice)
    return session


def lives(paces: list[tuple[str, int]]) -> Iterator[tuple[Session, datetime]]:
    session, at = made(), NOON
    for act, pause in paces:
        at += timedelta(seconds=pause)
        session = done(session, act, at)
        yield session, at


def mails(session: Session) -> Iterator[tuple[str, str]]:
    """Which address gets which mails now: names that are the same for the same mail."""
    for one in session.recipients:
        if one.has_pending_invitation:
            yield one.email, f"invitation {one.invitation.number}"
        if one.has_pending_reminder:
            yield one.email, f"reminder {one.reminders}"
    for notice in session.due_outcome_mails:
        if notice.recipient_id:
            yield notice.to_email or session.recipient(notice.recipient_id).email, notice.name


def most_in_an_hour(paces: list[tuple[str, int]]) -> int:
    """Of all people and all hours, the most mails."""
    first: dict[tuple[str, str], datetime] = {}
    for session, at in lives(paces):
        for mail in mails(session):
            first.setdefault(mail, at)
    times = defaultdict(list)
    for (key, _), at in first.items():
        times[key].append(at)
    counts = (sum(start <= at < start + HOUR for at in own) for own in times.values() for start in own)
    return max(counts, default=0)


@given(PACES)
def test_no_sequence_of_acts_mails_one_person_more_than_a_few_times_an_hour(paces: list[tuple[str, int]]) -> None:
    assert most_in_an_hour([("send", 0), *paces]) <= MOST_MAILS


@given(BUSY)
def test_no_program_in_a_hurry_mails_one_person_more_than_a_few_times_an_hour(acts: list[str]) -> None:
    assert most_in_an_hour([("send", 0), ("deliver", 0), *((act, 1) for act in acts)]) <= MOST_MAILS


def test_archiving_and_restoring_in_turn_mails_each_person_once_and_comes_to_an_end() -> None:
    turns = [("archive", 0), ("deliver", 0), ("restore", 1)] * 60
    assert most_in_an_hour([("send", 0), ("deliver", 0), *turns]) == 2  # an invitation, and that it was archived


def test_the_limits_of_an_hour_end_with_the_hour() -> None:
    session = delivered(made().send(audit()).session)
    for _ in range(MAX_PER_HOUR - 1):  # the first one was that of sending
        session = session.invite(PEOPLE["ada"], audit()).session
    with pytest.raises(TooOften):
        session.invite(PEOPLE["ada"], audit(NOON + HOUR - timedelta(seconds=1)))
    assert session.invite(PEOPLE["ada"], audit(NOON + HOUR)).session.recipient(PEOPLE["ada"]).invitation.number == 11
    assert session.invite(PEOPLE["grace"], audit()).session.recipient(PEOPLE["grace"]).invitation.number == 2


@given(PACES)
def test_a_late_invitation_is_followed_by_a_mail_about_the_end(paces: list[tuple[str, int]]) -> None:
    """Invitations leave at the next `deliver`, whatever happens between."""
    session, at, begun, told = made().send(audit()).session, NOON, [], set()
    for act, pause in [*paces, ("leave", 0)]:
        at += timedelta(seconds=pause)
        begun += [r for r in session.recipients if r.has_pending_invitation]
        if act in ("deliver", "leave"):
            for one in begun:
                if session.recipient(one.recipient_id).email != one.email:
                    session = session.with_outcome_mails(
                        replacement_mails(session, one.recipient_id, one.name, one.email)
                    )
                else:
                    session = with_late_delivery(session, one.recipient_id, one.invitation.number, at)
            begun = []
        else:
            session = done(session, act, at)
        told |= {(notice.kind, notice.recipient_id) for notice in session.outcome_mails}
    kind = {SessionStatus.DECLINED: OutcomeMailKind.DECLINED, SessionStatus.EXPIRED: OutcomeMailKind.EXPIRED}
    if session.underlying_status in kind:
        for one in session.notified_recipients:
            has_declined = one.decline_reason is not None
            assert has_declined or (kind[session.underlying_status], one.recipient_id) in told
    elif session.status is SessionStatus.CANCELLED and session.underlying_status in OPEN_FOR_SIGNING:
        assert all((OutcomeMailKind.CANCELLED, one.recipient_id) in told for one in session.notified_recipients)


def parts(session: Session) -> list[Recipient]:
    """The recipients, apart from the limits of mails."""
    own = {"withdrawn_at": None, "reminders_delivered": 0}
    return [one.model_copy(update=own) for one in session.recipients]


@given(PACES)
def test_restoring_makes_recipients_what_they_were_before_archiving(paces: list[tuple[str, int]]) -> None:
    for session, at in lives(paces):
        if session.status.value == "cancelled":
            continue
        archived = session.archive(audit(at)).session
        unlimited = archived.model_copy(update={"restored_at": (), "expires_at": None})
        assert parts(unlimited.restore(audit(at)).session) == parts(session)


@given(PACES)
def test_archiving_cancels_recipients_who_have_not_finished(paces: list[tuple[str, int]]) -> None:
    for session, at in lives(paces):
        if session.status.value == "cancelled":
            continue
        for before, after in zip(session.recipients, session.archive(audit(at)).session.recipients, strict=True):
            is_open = before.status in {RecipientStatus.WAITING, RecipientStatus.PENDING, RecipientStatus.VIEWED}
            assert after.status is (RecipientStatus.CANCELLED if is_open else before.status)
