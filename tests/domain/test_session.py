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
    NotYourTurn,
    RecipientNotFound,
    SessionNotActive,
    SessionNotFound,
    SigningError,
)
from domain.events import EventType, chain_is_intact
from domain.ids import FileId, RecipientId, SessionId
from domain.recipients import RecipientStatus
from domain.session import Session, SessionStatus, Step
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


def sent() -> Session:
    return created().session.send(occasion()).session


def half_signed() -> Session:
    return sent().sign(ADA, submission("ada"), occasion()).session


def all_signed() -> Session:
    return half_signed().sign(GRACE, submission("grace"), occasion()).session


def generated() -> Session:
    session = all_signed()
    return session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), occasion()).session


SITUATIONS: dict[str, Callable[[], Session]] = {
    "draft": lambda: created().session,
    "pending": sent,
    "inProgress": half_signed,
    "completed": all_signed,
    "completedAndGenerated": generated,
    "archived draft": lambda: created().session.archive(occasion()).session,
    "archived pending": lambda: sent().archive(occasion()).session,
    "archived completed": lambda: all_signed().archive(occasion()).session,
    "erased": lambda: sent().erase(occasion()).session,
}

ACTS: dict[str, Callable[[Session], Step]] = {
    "send": lambda session: session.send(occasion()),
    "ada views": lambda session: session.view(ADA, occasion()),
    "ada signs": lambda session: session.sign(ADA, submission("ada"), occasion()),
    "grace signs": lambda session: session.sign(GRACE, submission("grace"), occasion()),
    "archive": lambda session: session.archive(occasion()),
    "restore": lambda session: session.restore(occasion()),
    "erase": lambda session: session.erase(occasion()),
}

# situation: what each act leads to, in the order of ACTS.
TABLE: dict[str, tuple[SessionStatus | type[SigningError], ...]] = {
    "draft": (S.PENDING, SessionNotActive, SessionNotActive, SessionNotActive, S.CANCELLED, NotArchived, S.DRAFT),
    "pending": (NotADraft, S.PENDING, S.IN_PROGRESS, NotYourTurn, S.CANCELLED, NotArchived, S.PENDING),
    "inProgress": (NotADraft, AlreadySigned, AlreadySigned, S.COMPLETED, S.CANCELLED, NotArchived, S.IN_PROGRESS),
    "completed": (NotADraft, AlreadySigned, AlreadySigned, AlreadySigned, S.CANCELLED, NotArchived, S.COMPLETED),
    "completedAndGenerated": (
        NotADraft,
        AlreadySigned,
        AlreadySigned,
        AlreadySigned,
        S.CANCELLED,
        NotArchived,
        S.COMPLETED_AND_GENERATED,
    ),
    "archived draft": (
        NotADraft,
        SessionNotActive,
        SessionNotActive,
        SessionNotActive,
        AlreadyArchived,
        S.DRAFT,
        S.CANCELLED,
    ),
    "archived pending": (
        NotADraft,
        SessionNotActive,
        SessionNotActive,
        SessionNotActive,
        AlreadyArchived,
        S.PENDING,
        S.CANCELLED,
    ),
    "archived completed": (
        NotADraft,
        AlreadySigned,
        AlreadySigned,
        AlreadySigned,
        AlreadyArchived,
        S.COMPLETED,
        S.CANCELLED,
    ),
    "erased": (SessionNotFound,) * 7,
}


@pytest.mark.parametrize(
    ("situation", "act", "outcome"),
    [
        pytest.param(situation, act, outcome, id=f"{act} when {situation}")
        for situation, outcomes in TABLE.items()
        for act, outcome in zip(ACTS, outcomes, strict=True)
    ],
)
def test_every_act_in_every_status(situation: str, act: str, outcome: SessionStatus | type[SigningError]) -> None:
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


def test_viewing_again_is_no_event() -> None:
    first = sent().view(ADA, occasion())
    assert [event.type for event in first.events] == [EventType.RECIPIENT_VIEWED]
    again = first.session.view(ADA, occasion(NOON + timedelta(hours=1)))
    assert again == Step(first.session)


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
