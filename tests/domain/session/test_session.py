"""The effects of allowed actions; `test_transitions` tests which are allowed."""

from datetime import timedelta

import pytest

from domain.audit.events import EventType
from domain.audit.hash_chain import chain_is_intact
from domain.session.recipients import RecipientStatus
from domain.session.session import MAX_DEVICES, Session, Transition
from domain.session.status import SessionStatus
from domain.shared.errors import FileNotFound, IncompleteRecipients, NoRecipients, RecipientNotFound
from domain.shared.ids import FileId, RecipientId, SessionId
from tests.builders import NOON, audit, created, draft, file, identifier, recipient, reference, submission
from tests.domain.situations import ACTS, ADA, GRACE, all_signed, half_signed, sent

S, R = SessionStatus, RecipientStatus


def test_only_the_first_in_the_signing_order_are_invited_by_sending() -> None:
    step = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2)).session.send(audit())
    assert [r.status for r in step.session.recipients] == [R.PENDING, R.PENDING, R.WAITING]
    assert [r.invitation.number for r in step.session.recipients] == [1, 1, 0]


def test_signing_order_numbers_may_have_gaps() -> None:
    session = created(recipient("ada", 3), recipient("grace", 7)).session.send(audit()).session
    session = session.sign(ADA, submission(), audit()).session
    assert session.recipient(GRACE).status is R.PENDING


def test_the_next_order_waits_until_all_of_the_earlier_one_have_signed() -> None:
    session = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2)).session
    session = session.send(audit()).session.sign(ADA, submission(), audit()).session
    alan = RecipientId(identifier("alan"))
    assert session.recipient(alan).status is R.WAITING
    session = session.sign(GRACE, submission("grace"), audit()).session
    assert session.recipient(alan).status is R.PENDING


def test_viewing_is_an_event_once_for_each_device() -> None:
    at, phone = audit(NOON + timedelta(hours=1)), audit().model_copy(update={"user_agent": "a phone"})
    first = sent().view(ADA, audit())
    on_phone = first.session.view(ADA, phone)
    assert [event.type for event in (*first.events, *on_phone.events)] == [EventType.RECIPIENT_VIEWED] * 2
    for again in (audit(), phone):
        assert on_phone.session.view(ADA, again) == Transition(on_phone.session)
    assert first.session.view(ADA, at) == Transition(first.session)
    assert on_phone.session.recipient(ADA).viewed_at == NOON


def test_the_number_of_devices_in_the_history_is_limited() -> None:
    step = Transition(sent())
    for number in range(1000):
        step = step.then(step.session.view(ADA, audit().model_copy(update={"user_agent": f"device {number}"})))
    assert len(step.events) == MAX_DEVICES


def test_signing_records_consent_signature_and_completion_with_the_hash_of_the_submission() -> None:
    step = half_signed().sign(GRACE, submission("grace"), audit())
    assert [event.type for event in step.events] == [
        EventType.RECIPIENT_CONSENTED,
        EventType.RECIPIENT_COMPLETED,
        EventType.SESSION_COMPLETED,
    ]
    assert step.events[1].details["submissionSha256"] == submission("grace").content.sha256
    assert step.session.completed_at == NOON


def test_archiving_cancels_active_recipients_only_and_restoring_returns_them() -> None:
    session = half_signed()
    archived = session.archive(audit()).session
    assert [r.status for r in archived.recipients] == [R.COMPLETED, R.CANCELLED]
    restored = archived.restore(audit()).session
    assert [r.model_copy(update={"withdrawn_at": None}) for r in restored.recipients] == list(session.recipients)
    assert restored.previous_status is None


def test_documents_that_are_generated_while_archived_show_after_restoring() -> None:
    archived = all_signed().archive(audit()).session
    assert archived.needs_documents
    step = archived.add_signed_document(archived.files[0].file_id, reference("signed.pdf"), audit())
    assert (step.session.status, step.session.previous_status) == (S.CANCELLED, S.COMPLETED_AND_GENERATED)
    assert step.session.restore(audit()).session.status is S.COMPLETED_AND_GENERATED


def test_documents_are_generated_only_with_the_last_file() -> None:
    session = created(recipient("ada"), files=(file("One"), file("Two"))).session.send(audit()).session
    session = session.sign(ADA, submission(), audit()).session
    one, two = session.files
    session = session.add_signed_document(one.file_id, reference("one.pdf"), audit()).session
    assert session.status is S.COMPLETED
    step = session.add_signed_document(two.file_id, reference("two.pdf"), audit())
    assert step.session.status is S.COMPLETED_AND_GENERATED
    assert [event.type for event in step.events] == [EventType.SESSION_DOCUMENTS_GENERATED]


def test_sending_without_recipients_or_with_an_incomplete_one_is_refused() -> None:
    empty = Session.create(draft().model_copy(update={"recipients": ()}), audit()).session
    with pytest.raises(NoRecipients):
        empty.send(audit())
    with pytest.raises(IncompleteRecipients):
        created(recipient("ada", name=" ")).session.send(audit())


def test_unknown_recipients_and_files_are_not_found() -> None:
    with pytest.raises(RecipientNotFound):
        sent().view(RecipientId(identifier("nobody")), audit())
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
