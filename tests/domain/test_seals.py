"""Seals of a session: their levels are told, and what could not be had at first is added later."""

from datetime import timedelta

import pytest

from domain.audit.events import EventType
from domain.seal.seal import Seal, SealLevel
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect, has_pending_effects, waiting_for
from domain.shared.errors import NotDue
from tests.builders import NOON, audit, reference
from tests.domain.situations import all_signed

LOW = Seal(level=SealLevel.B_B, goal=SealLevel.B_T)
REACHED = Seal(level=SealLevel.B_T, goal=SealLevel.B_T)


def sealed(seal: Seal = LOW) -> Session:
    """A session of one file that is generated with that seal."""
    session = all_signed()
    return session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), audit(), seal).session


def test_the_event_of_the_documents_holds_the_seal_level() -> None:
    session = all_signed()
    step = session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), audit(), LOW)
    assert step.events[-1].details == {"files": 1, "sealLevel": "B-B"}
    assert [file.file_id for file in step.session.due_seals] == [session.files[0].file_id]


def test_a_seal_is_raised_with_an_event_of_its_own() -> None:
    session = sealed()
    (file,) = session.files
    assert file.signed
    step = session.augment_seal(file.file_id, reference("raised.pdf"), REACHED, audit())
    (event,) = step.events
    assert event.type is EventType.SESSION_SEAL_RAISED
    assert event.details == {
        "fileId": file.file_id,
        "previousLevel": "B-B",
        "sealLevel": "B-T",
        "previousSha256": file.signed.sha256,
        "signedSha256": reference("raised.pdf").sha256,
    }
    assert step.session.files[0].signed == reference("raised.pdf")
    assert step.session.due_seals == ()


def test_a_seal_that_reached_its_goal_is_not_raised_again() -> None:
    session = sealed(REACHED)
    with pytest.raises(NotDue):
        session.augment_seal(session.files[0].file_id, reference("raised.pdf"), REACHED, audit())


def test_documents_that_were_never_sealed_wait_for_nothing() -> None:
    session = all_signed()
    done = session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), audit())
    assert done.events[-1].details == {"files": 1}
    assert (done.session.due_seals, done.session.seal_level) == ((), None)


def test_a_deleted_session_has_no_seals_to_raise() -> None:
    assert sealed().erase(audit()).session.due_seals == ()


def test_a_session_waits_for_its_seals_archived_or_not() -> None:
    session = sealed()
    assert waiting_for(session) == "Completed; waiting for the seal of 1 document to be raised to B-T."
    assert waiting_for(session.archive(audit()).session).startswith("Archived; waiting for the seal of 1 document")
    assert has_pending_effects(session)


def test_failures_of_sealing_are_mentioned() -> None:
    error = "The timestamp authority at tsa.example cannot be reached."
    retry = RetryStatus(SideEffect.SEAL, 3, error, NOON + timedelta(minutes=5))
    assert waiting_for(sealed(), [retry]) == (
        "Completed; waiting for the seal of 1 document to be raised to B-T; attempt 3 failed: The timestamp "
        "authority at tsa.example cannot be reached; next attempt at 12 June 2026 12:05:00 UTC."
    )


@pytest.mark.parametrize("goal", SealLevel)
@pytest.mark.parametrize("level", SealLevel)
def test_a_level_reaches_itself_and_those_below(level: SealLevel, goal: SealLevel) -> None:
    order = ["B-B", "B-T", "B-LT", "B-LTA"]
    assert level.is_at_least(goal) is (order.index(level) >= order.index(goal))
