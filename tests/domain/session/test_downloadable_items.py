"""Who got which copies of what was signed: an event the first time, and only then (Specification 6.1)."""

import pytest

from domain.audit.events import ActorKind, EventType
from domain.session.downloadable_items import CERTIFICATE, values_item
from domain.session.session import Transition
from domain.shared.errors import DocumentNotReady, FileNotFound, NotDue, SessionNotCompleted
from domain.shared.ids import FileId
from tests.builders import audit, identifier
from tests.domain.situations import ADA, GRACE, SITUATIONS, all_signed, generated


def told(step: Transition) -> list[tuple[EventType, str, object]]:
    return [(event.type, event.actor.kind, dict(event.details)) for event in step.events]


def test_the_first_download_of_an_item_by_an_actor_is_an_event() -> None:
    session = generated()
    file_id = session.files[0].file_id
    step = session.record_download([file_id, CERTIFICATE], audit())
    again = step.session.record_download([CERTIFICATE, file_id], audit())
    assert told(step) == [
        (EventType.SESSION_DOWNLOADED, "client", {"copy": "document", "fileId": file_id}),
        (EventType.SESSION_DOWNLOADED, "client", {"copy": "certificate"}),
    ]
    assert again == Transition(step.session)


def test_the_first_download_by_another_actor_is_an_event() -> None:
    step = generated().record_download([CERTIFICATE], audit())
    other = step.session.record_download([CERTIFICATE], audit(kind=ActorKind.RECIPIENT))
    assert told(other) == [(EventType.SESSION_DOWNLOADED, "recipient", {"copy": "certificate"})]
    assert other.events[0].previous_hash == step.events[0].hash


def test_a_download_does_not_update_the_session() -> None:
    session = generated()
    after = session.record_download([CERTIFICATE], audit()).session
    assert after.updated_at == session.updated_at
    assert after.sequence == session.sequence + 1


def test_an_unavailable_document_cannot_be_downloaded() -> None:
    session = all_signed()
    with pytest.raises(DocumentNotReady):
        session.record_download([session.files[0].file_id], audit())
    with pytest.raises(FileNotFound):
        session.record_download([FileId(identifier("another file"))], audit())


def test_the_first_read_of_values_by_an_actor_is_an_event() -> None:
    session = all_signed()
    ada = session.record_download([values_item(ADA)], audit())
    both = ada.session.record_download([values_item(ADA), values_item(GRACE)], audit())
    other = both.session.record_download([values_item(ADA)], audit(kind=ActorKind.USER))
    assert [told(step) for step in (ada, both, other)] == [
        [(EventType.SESSION_VALUES_READ, "client", {"recipientId": ADA})],
        [(EventType.SESSION_VALUES_READ, "client", {"recipientId": GRACE})],
        [(EventType.SESSION_VALUES_READ, "user", {"recipientId": ADA})],
    ]


@pytest.mark.parametrize("situation", ["inProgress", "archived inProgress", "completed", "archived completed"])
def test_values_are_available_once_the_recipient_has_signed(situation: str) -> None:
    session = SITUATIONS[situation]()
    assert session.record_download([values_item(ADA)], audit()).events[0].type is EventType.SESSION_VALUES_READ


@pytest.mark.parametrize("situation", ["draft", "pending", "inProgress", "declined", "expired"])
def test_a_recipient_who_has_not_signed_has_no_values(situation: str) -> None:
    session = SITUATIONS[situation]()
    with pytest.raises(NotDue):
        session.record_download([values_item(GRACE)], audit())


def test_values_open_no_document() -> None:
    with pytest.raises(SessionNotCompleted):
        SITUATIONS["inProgress"]().record_download([values_item(ADA), CERTIFICATE], audit())
