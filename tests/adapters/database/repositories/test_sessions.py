"""Sessions, their events and receipts, in SQLite and PostgreSQL."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.audit.events import Event
from domain.ports.database import HistoryDiffers, SessionRows
from domain.session.deletion_mails import deletion_mails
from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId
from tests.builders import NOON, ORGANISATION, audit, created, identifier, submission

STRANGER = OrganisationId(identifier("stranger"))


@pytest.fixture
def rows(database: AsyncEngine) -> SessionRows:
    return DatabaseSessionRows(database)


def draft_and_sent() -> tuple[Session, Session, tuple[Event, ...], tuple[Event, ...]]:
    draft = created()
    sent = draft.session.send(audit())
    return draft.session, sent.session.with_next_revision(), draft.events, sent.events


async def find(rows: SessionRows, session: Session) -> Session | None:
    return await rows.find(session.organisation_id, session.session_id)


async def test_recorded_sessions_are_found(rows: SessionRows) -> None:
    draft, sent, first, then = draft_and_sent()
    await rows.record(draft, first)
    await rows.record(sent, then)
    assert await find(rows, sent) == sent
    assert await rows.events(ORGANISATION, sent.session_id) == first + then


async def test_recording_twice_changes_nothing(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    for _ in range(2):
        await rows.record(draft, first)
    assert await rows.events(ORGANISATION, draft.session_id) == first


async def test_a_late_older_snapshot_never_overwrites_a_newer_one_but_its_events_count(rows: SessionRows) -> None:
    draft, sent, first, then = draft_and_sent()
    await rows.record(sent, then)
    await rows.record(draft, first)
    assert await find(rows, sent) == sent
    assert await rows.events(ORGANISATION, sent.session_id) == first + then
    assert await rows.find_history(ORGANISATION, sent.session_id) == (sent, first + then)


async def test_parallel_writers_of_one_session_end_with_the_newest(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    revisions = [draft.model_copy(update={"revision": number}) for number in range(12)]
    await asyncio.gather(*(rows.record(session, first) for session in revisions))
    assert await find(rows, draft) == revisions[-1]


async def test_another_organisation_finds_nothing(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    await rows.record(draft, first)
    assert await rows.find(STRANGER, draft.session_id) is None
    assert await rows.events(STRANGER, draft.session_id) == ()
    await rows.erase(STRANGER, draft.session_id, NOON)
    assert await find(rows, draft) == draft


async def test_an_erased_session_stays_erased(rows: SessionRows) -> None:
    draft, sent, first, then = draft_and_sent()
    await rows.record(draft, first)
    assert not await rows.is_erased(ORGANISATION, draft.session_id)
    for _ in range(2):
        await rows.erase(ORGANISATION, draft.session_id, NOON)
    await rows.record(sent, then)  # what a late try of the workflow would do
    assert await find(rows, draft) is None
    assert await rows.events(ORGANISATION, draft.session_id) == ()
    assert await rows.is_erased(ORGANISATION, draft.session_id)


async def test_the_tombstone_holds_the_mails_to_the_invited_until_there_is_a_receipt(rows: SessionRows) -> None:
    _, sent, first, then = draft_and_sent()
    session = sent.with_delivery(sent.recipients[0].recipient_id, 1)
    await rows.record(session, (*first, *then))
    key = (ORGANISATION, session.session_id)
    assert await rows.find_deletion_mails(*key) is None
    for _ in range(2):
        await rows.erase(*key, NOON)
    assert await rows.find_deletion_mails(*key) == deletion_mails(session, NOON)
    assert await rows.find_deletion_mails(STRANGER, session.session_id) is None
    await rows.store_receipt(*key, "receipt")
    assert await rows.find_deletion_mails(*key) is None


async def test_the_first_receipt_of_an_erasure_is_kept(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    await rows.record(draft, first)
    await rows.erase(ORGANISATION, draft.session_id, NOON)
    assert await rows.find_receipt(ORGANISATION, draft.session_id) is None
    assert [await rows.store_receipt(ORGANISATION, draft.session_id, name) for name in ("one", "two")] == ["one", "one"]
    assert await rows.find_receipt(ORGANISATION, draft.session_id) == "one"
    assert await rows.find_receipt(STRANGER, draft.session_id) is None


async def test_records_concurrent_with_an_erasure_are_erased(rows: SessionRows) -> None:
    for number in range(5):
        step = created(name=f"Agreement {number}")
        session = step.session
        await asyncio.gather(
            rows.record(session, step.events),
            rows.erase(ORGANISATION, session.session_id, NOON),
            rows.record(session.with_next_revision(), step.events),
        )
        assert await find(rows, session) is None
        assert await rows.events(ORGANISATION, session.session_id) == ()


async def test_the_history_is_found_with_its_session(rows: SessionRows) -> None:
    draft, sent, first, then = draft_and_sent()
    await rows.record(draft, first)
    await rows.record(sent, first + then)

    assert await rows.find_history(ORGANISATION, sent.session_id) == (sent, first + then)
    assert await rows.find_history(STRANGER, sent.session_id) is None
    await rows.erase(ORGANISATION, sent.session_id, NOON)
    assert await rows.find_history(ORGANISATION, sent.session_id) is None


async def test_a_history_is_whole_while_it_is_written(rows: SessionRows) -> None:
    for number in range(10):
        draft = created(name=f"Agreement {number}")
        sent = draft.session.send(audit())
        key = (ORGANISATION, draft.session.session_id)
        await rows.record(draft.session, draft.events)

        _, *found = await asyncio.gather(
            rows.record(sent.session.with_next_revision(), draft.events + sent.events),
            *(rows.find_history(*key) for _ in range(3)),
        )

        assert all(history is not None and history.is_whole() for history in found)


History = tuple[Session, tuple[Event, ...]]


def history(hours: int, length: int) -> History:
    """A session after `length` acts, of which those after creating and sending were done `hours` after noon."""
    step = created()
    session, events = step.session, step.events
    for number in range(length):
        at = audit(NOON + timedelta(hours=hours if number else 0))
        acts: list[Any] = [session.send, *(_signing(session, recipient) for recipient in session.recipients)]
        step = acts[number](at)
        session, events = step.session.with_next_revision(), events + step.events
    return session, events


def _signing(session: Session, recipient: Any) -> Any:
    return lambda at: session.sign(recipient.recipient_id, submission(recipient.key), at)


@pytest.mark.parametrize("length", [2, 3])
@pytest.mark.parametrize("known", [2, 3])
@pytest.mark.parametrize("is_whole", [True, False])
async def test_a_different_event_of_a_number_is_refused(
    rows: SessionRows, known: int, length: int, *, is_whole: bool
) -> None:
    session, events = history(1, known)
    await rows.record(session, events)
    other, others = history(2, length)
    beginning = history(0, 1)[1]

    with pytest.raises(HistoryDiffers, match="another one in the database"):
        await rows.record(other.model_copy(update={"revision": 99}), others if is_whole else others[len(beginning) :])

    assert await rows.find(ORGANISATION, session.session_id) == session
    assert await rows.events(ORGANISATION, session.session_id) == events


@pytest.mark.parametrize("first", range(8))
async def test_any_part_of_a_history_is_recorded_again(rows: SessionRows, first: int) -> None:
    session, events = history(1, 2)
    await rows.record(session, events)
    longer, all_events = history(1, 3)

    await rows.record(longer, all_events[first:])

    assert await rows.events(ORGANISATION, session.session_id) == events + all_events[max(first, len(events)) :]


async def test_the_start_of_one_session_is_deferred_and_those_of_others_are_not(rows: SessionRows) -> None:
    hour = timedelta(hours=1)
    sessions = [created(name=name).session for name in ("Lease", "Offer")]
    sessions = [one.model_copy(update={"session_id": SessionId(identifier(one.name))}) for one in sessions]
    for number, session in enumerate(sessions):
        assert await rows.change(None, session, (), start_at=NOON + number * hour)
    lease, offer = sessions

    await rows.defer_start(ORGANISATION, lease.session_id, NOON + 2 * hour)

    assert [await rows.to_start(NOON + number * hour, 9) for number in range(3)] == [[], [offer], [offer, lease]]
    await rows.mark_started(lease)
    await rows.defer_start(ORGANISATION, lease.session_id, NOON)
    assert await rows.to_start(NOON + 2 * hour, 9) == [offer]


async def test_runs_are_those_of_started_sessions_that_need_one(rows: SessionRows) -> None:
    draft, sent, first, then = draft_and_sent()
    await rows.record(draft, first)
    assert await rows.with_runs(SessionId(""), 9) == ([], "")
    await rows.record(sent, then)
    assert await rows.with_runs(SessionId(""), 9) == ([sent], "")
    assert await rows.with_runs(SessionId(""), 1) == ([sent], sent.session_id)
    assert await rows.with_runs(sent.session_id, 9) == ([], "")


async def test_an_erasure_is_due_until_it_starts_and_again_when_it_is_restarted(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    await rows.record(draft, first)
    await rows.erase(ORGANISATION, draft.session_id, NOON)

    async def due(at: datetime) -> list[str]:
        return [one.session_id for one in await rows.to_erase(at, 9)]

    await rows.restart_erasure(ORGANISATION, draft.session_id, NOON)
    assert [await due(at) for at in (NOON - timedelta(seconds=1), NOON)] == [[], [draft.session_id]]
    await rows.mark_erasing(ORGANISATION, draft.session_id)
    assert await due(NOON + timedelta(days=1)) == []
