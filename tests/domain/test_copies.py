"""Who got which copies of what was signed: an event the first time, and only then (contract 10)."""

import pytest

from domain.copies import CERTIFICATE
from domain.errors import DocumentNotReady, FileNotFound
from domain.events import ActorKind, EventType
from domain.ids import FileId
from domain.session import Step
from tests.builders import identifier, occasion
from tests.domain.situations import all_signed, generated


def told(step: Step) -> list[tuple[EventType, str, object]]:
    return [(event.type, event.actor.kind, dict(event.details)) for event in step.events]


def test_each_copy_is_an_event_the_first_time_that_somebody_gets_it() -> None:
    session = generated()
    file_id = session.files[0].file_id

    step = session.hand_out([file_id, CERTIFICATE], occasion())
    again = step.session.hand_out([CERTIFICATE, file_id], occasion())

    assert told(step) == [
        (EventType.SESSION_DOWNLOADED, "client", {"copy": "document", "fileId": file_id}),
        (EventType.SESSION_DOWNLOADED, "client", {"copy": "certificate"}),
    ]
    assert again == Step(step.session)


def test_somebody_else_gets_a_copy_of_their_own() -> None:
    step = generated().hand_out([CERTIFICATE], occasion())

    other = step.session.hand_out([CERTIFICATE], occasion(kind=ActorKind.RECIPIENT))

    assert told(other) == [(EventType.SESSION_DOWNLOADED, "recipient", {"copy": "certificate"})]
    assert other.events[0].previous_hash == step.events[0].hash


def test_a_copy_is_no_change_of_the_session_that_clients_are_told_of() -> None:
    session = generated()

    after = session.hand_out([CERTIFICATE], occasion()).session

    assert after.updated_at == session.updated_at
    assert after.sequence == session.sequence + 1


def test_what_is_not_there_yet_is_not_handed_out() -> None:
    session = all_signed()

    with pytest.raises(DocumentNotReady):
        session.hand_out([session.files[0].file_id], occasion())
    with pytest.raises(FileNotFound):
        session.hand_out([FileId(identifier("another file"))], occasion())
