"""The state machine as a table: every act in every status, and what the allowed ones do."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from domain.errors import (
    AlreadyArchived,
    AlreadySigned,
    FileNotFound,
    IncompleteRecipients,
    LinkNotValid,
    NoRecipients,
    NotADraft,
    NotArchived,
    NotDue,
    NotYourTurn,
    RecipientNotActive,
    RecipientNotFound,
    SessionNotActive,
    SessionNotFound,
    SigningError,
)
from domain.events import EventType, chain_is_intact
from domain.ids import FileId, RecipientId, SessionId
from domain.recipients import RecipientStatus
from domain.session import MAX_DEVICES, Session, SessionStatus, Step
from tests.builders import (
    NOON,
    created,
    draft,
    file,
    identifier,
    occasion,
    recipient,
    reference,
    submission,
)

ADA, GRACE = RecipientId(identifier("ada")), RecipientId(identifier("grace"))
S, R = SessionStatus, RecipientStatus


EXPIRES_IN = 30
LATE = NOON + timedelta(days=EXPIRES_IN)


def sent() -> Session:
    return step_created().session.send(occasion()).session


def step_created() -> Step:
    return Session.create(draft(expiry_days=EXPIRES_IN, reminder_enabled=True), occasion())


def half_signed() -> Session:
    return sent().sign(ADA, submission("ada"), occasion()).session


def all_signed() -> Session:
    return half_signed().sign(GRACE, submission("grace"), occasion()).session


def generated() -> Session:
    session = all_signed()
    return session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), occasion()).session


def declined() -> Session:
    return sent().decline(ADA, "The fee is wrong.", occasion()).session


def expired() -> Session:
    return sent().expire(occasion(LATE)).session


SITUATIONS: dict[str, Callable[[], Session]] = {
    "draft": lambda: step_created().session,
    "pending": sent,
    "inProgress": half_signed,
    "completed": all_signed,
    "completedAndGenerated": generated,
    "declined": declined,
    "expired": expired,
    "archived draft": lambda: step_created().session.archive(occasion()).session,
    "archived pending": lambda: sent().archive(occasion()).session,
    "archived completed": lambda: all_signed().archive(occasion()).session,
    "archived declined": lambda: declined().archive(occasion()).session,
    "archived expired": lambda: expired().archive(occasion(LATE)).session,
    "erased": lambda: sent().erase(occasion()).session,
}

ACTS: dict[str, Callable[[Session], Step]] = {
    "send": lambda session: session.send(occasion()),
    "invite ada": lambda session: session.invite(ADA, occasion()),
    "invite grace": lambda session: session.invite(GRACE, occasion()),
    "ada views": lambda session: session.view(ADA, occasion()),
    "ada signs": lambda session: session.sign(ADA, submission("ada"), occasion()),
    "grace signs": lambda session: session.sign(GRACE, submission("grace"), occasion()),
    "ada declines": lambda session: session.decline(ADA, "No.", occasion()),
    "grace declines": lambda session: session.decline(GRACE, "No.", occasion()),
    "a week passes": lambda session: session.remind(occasion(NOON + timedelta(days=7))),
    "the expiry date passes": lambda session: session.expire(occasion(LATE)),
    "archive": lambda session: session.archive(occasion()),
    "restore": lambda session: session.restore(occasion()),
    "erase": lambda session: session.erase(occasion()),
}

Outcome = SessionStatus | type[SigningError]

CLOSED: dict[str, Outcome] = {
    "send": NotADraft,
    "invite ada": SessionNotActive,
    "invite grace": SessionNotActive,
    "ada views": SessionNotActive,
    "ada signs": SessionNotActive,
    "grace signs": SessionNotActive,
    "ada declines": SessionNotActive,
    "grace declines": SessionNotActive,
    "a week passes": NotDue,
    "the expiry date passes": NotDue,
    "archive": S.CANCELLED,
    "restore": NotArchived,
}
"""What a session that is not open for signing answers, unless its situation says otherwise below."""

SIGNED: dict[str, Outcome] = dict.fromkeys(
    ("ada views", "ada signs", "ada declines", "grace signs", "grace declines"), AlreadySigned
)

# situation: what each act leads to.
TABLE: dict[str, dict[str, Outcome]] = {
    "draft": {**CLOSED, "send": S.PENDING, "erase": S.DRAFT},
    "pending": {
        "send": NotADraft,
        "invite ada": S.PENDING,
        "invite grace": RecipientNotActive,
        "ada views": S.PENDING,
        "ada signs": S.IN_PROGRESS,
        "grace signs": NotYourTurn,
        "ada declines": S.DECLINED,
        "grace declines": NotYourTurn,
        "a week passes": S.PENDING,
        "the expiry date passes": S.EXPIRED,
        "archive": S.CANCELLED,
        "restore": NotArchived,
        "erase": S.PENDING,
    },
    "inProgress": {
        "send": NotADraft,
        "invite ada": RecipientNotActive,
        "invite grace": S.IN_PROGRESS,
        "ada views": AlreadySigned,
        "ada signs": AlreadySigned,
        "grace signs": S.COMPLETED,
        "ada declines": AlreadySigned,
        "grace declines": S.DECLINED,
        "a week passes": S.IN_PROGRESS,
        "the expiry date passes": S.EXPIRED,
        "archive": S.CANCELLED,
        "restore": NotArchived,
        "erase": S.IN_PROGRESS,
    },
    "completed": {**CLOSED, **SIGNED, "erase": S.COMPLETED},
    "completedAndGenerated": {**CLOSED, **SIGNED, "erase": S.COMPLETED_AND_GENERATED},
    "declined": {**CLOSED, "erase": S.DECLINED},
    "expired": {**CLOSED, "erase": S.EXPIRED},
    "archived draft": {**CLOSED, "archive": AlreadyArchived, "restore": S.DRAFT, "erase": S.CANCELLED},
    "archived pending": {**CLOSED, "archive": AlreadyArchived, "restore": S.PENDING, "erase": S.CANCELLED},
    "archived completed": {
        **CLOSED,
        **SIGNED,
        "archive": AlreadyArchived,
        "restore": S.COMPLETED,
        "erase": S.CANCELLED,
    },
    "archived declined": {**CLOSED, "archive": AlreadyArchived, "restore": S.DECLINED, "erase": S.CANCELLED},
    "archived expired": {**CLOSED, "archive": AlreadyArchived, "restore": S.EXPIRED, "erase": S.CANCELLED},
    "erased": dict.fromkeys(ACTS, SessionNotFound),
}


@pytest.mark.parametrize(
    ("situation", "act", "outcome"),
    [
        pytest.param(situation, act, outcome, id=f"{act} when {situation}")
        for situation, outcomes in TABLE.items()
        for act, outcome in outcomes.items()
    ],
)
def test_every_act_in_every_status(situation: str, act: str, outcome: Outcome) -> None:
    session = SITUATIONS[situation]()
    if isinstance(outcome, SessionStatus):
        step = ACTS[act](session)
        assert step.session.status is outcome
        assert step.session.is_erased == (act == "erase")
    else:
        with pytest.raises(outcome):
            ACTS[act](session)


def test_the_table_leaves_no_situation_out() -> None:
    assert TABLE.keys() == SITUATIONS.keys()
    assert all(outcomes.keys() == ACTS.keys() for outcomes in TABLE.values())
    assert {session().status for session in SITUATIONS.values()} == set(SessionStatus)


def test_only_the_first_in_the_signing_order_are_invited_by_sending() -> None:
    step = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2)).session.send(occasion())
    assert [r.status for r in step.session.recipients] == [R.PENDING, R.PENDING, R.WAITING]
    assert [r.invitation.number for r in step.session.recipients] == [1, 1, 0]


def test_signing_order_numbers_may_have_gaps() -> None:
    session = created(recipient("ada", 3), recipient("grace", 7)).session.send(occasion()).session
    session = session.sign(ADA, submission(), occasion()).session
    assert session.recipient(GRACE).status is R.PENDING


def test_the_next_order_waits_until_all_of_the_earlier_one_have_signed() -> None:
    session = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2)).session
    session = session.send(occasion()).session.sign(ADA, submission(), occasion()).session
    alan = RecipientId(identifier("alan"))
    assert session.recipient(alan).status is R.WAITING
    session = session.sign(GRACE, submission("grace"), occasion()).session
    assert session.recipient(alan).status is R.PENDING


def test_viewing_is_an_event_once_for_each_device() -> None:
    at, phone = occasion(NOON + timedelta(hours=1)), occasion().model_copy(update={"user_agent": "a phone"})
    first = sent().view(ADA, occasion())
    on_phone = first.session.view(ADA, phone)
    assert [event.type for event in (*first.events, *on_phone.events)] == [EventType.RECIPIENT_VIEWED] * 2
    for again in (occasion(), phone):
        assert on_phone.session.view(ADA, again) == Step(on_phone.session)
    assert first.session.view(ADA, at) == Step(first.session)
    assert on_phone.session.recipient(ADA).viewed_at == NOON


def test_thousands_of_devices_leave_a_short_history() -> None:
    step = Step(sent())
    for number in range(1000):
        step = step.then(step.session.view(ADA, occasion().model_copy(update={"user_agent": f"device {number}"})))
    assert len(step.events) == MAX_DEVICES


def test_signing_records_consent_signature_and_completion_with_the_hash_of_the_submission() -> None:
    step = half_signed().sign(GRACE, submission("grace"), occasion())
    assert [event.type for event in step.events] == [
        EventType.RECIPIENT_CONSENTED,
        EventType.RECIPIENT_COMPLETED,
        EventType.SESSION_COMPLETED,
    ]
    assert step.events[1].details["submissionSha256"] == submission("grace").content.sha256
    assert step.session.completed_at == NOON


def test_archiving_cancels_active_recipients_only_and_restoring_returns_them() -> None:
    session = half_signed()
    archived = session.archive(occasion()).session
    assert [r.status for r in archived.recipients] == [R.COMPLETED, R.CANCELLED]
    restored = archived.restore(occasion()).session
    assert restored.recipients == session.recipients
    assert restored.previous_status is None


def test_documents_that_are_generated_while_archived_show_after_restoring() -> None:
    archived = all_signed().archive(occasion()).session
    assert archived.needs_documents
    step = archived.add_signed_document(archived.files[0].file_id, reference("signed.pdf"), occasion())
    assert (step.session.status, step.session.previous_status) == (S.CANCELLED, S.COMPLETED_AND_GENERATED)
    assert step.session.restore(occasion()).session.status is S.COMPLETED_AND_GENERATED


def test_documents_are_generated_only_with_the_last_file() -> None:
    session = created(recipient("ada"), files=(file("One"), file("Two"))).session.send(occasion()).session
    session = session.sign(ADA, submission(), occasion()).session
    one, two = session.files
    session = session.add_signed_document(one.file_id, reference("one.pdf"), occasion()).session
    assert session.status is S.COMPLETED
    step = session.add_signed_document(two.file_id, reference("two.pdf"), occasion())
    assert step.session.status is S.COMPLETED_AND_GENERATED
    assert [event.type for event in step.events] == [EventType.SESSION_DOCUMENTS_GENERATED]


def test_sending_without_recipients_or_with_an_incomplete_one_is_refused() -> None:
    empty = Session.create(draft().model_copy(update={"recipients": ()}), occasion()).session
    with pytest.raises(NoRecipients):
        empty.send(occasion())
    with pytest.raises(IncompleteRecipients):
        created(recipient("ada", name=" ")).session.send(occasion())


def test_a_link_opens_only_while_it_is_the_latest() -> None:
    session = sent().with_link(ADA, 1, "a" * 64)
    assert session.recipient_by_link("a" * 64).recipient_id == ADA
    replaced = session.with_recipient(session.recipient(ADA), invitation=session.recipient(ADA).invitation.next())
    with pytest.raises(LinkNotValid):
        replaced.recipient_by_link("a" * 64)
    assert replaced.with_link(ADA, 1, "b" * 64) == replaced  # too late: invitation 2 is the latest


def test_an_empty_link_hash_opens_nothing() -> None:
    with pytest.raises(LinkNotValid):
        created().session.recipient_by_link("")


def test_what_is_not_in_the_session_is_not_found() -> None:
    with pytest.raises(RecipientNotFound):
        sent().view(RecipientId(identifier("nobody")), occasion())
    with pytest.raises(FileNotFound):
        sent().file(FileId(identifier("nothing")))


def test_the_history_of_a_whole_life_is_one_intact_chain() -> None:
    step = created()
    events = list(step.events)
    for act in ("send", "ada views", "ada signs", "archive", "restore", "grace signs"):
        step = ACTS[act](step.session)
        events += step.events
    assert chain_is_intact(events)
    assert (step.session.sequence, step.session.head) == (events[-1].sequence, events[-1].hash)
    assert step.session.session_id == SessionId(identifier("Consulting agreement"))
