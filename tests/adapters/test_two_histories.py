"""A session has one history: an event is never taken for another one that has its number."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.audit.events import Event
from domain.session.session import Session
from ports.database import HistoryDiffers
from tests.builders import NOON, ORGANISATION, audit, created, submission

Told = tuple[Session, tuple[Event, ...]]


def told(hours: int, length: int) -> Told:
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
async def test_an_event_that_differs_from_the_stored_one_is_refused(
    database: AsyncEngine, known: int, length: int, *, is_whole: bool
) -> None:
    rows = DatabaseSessionRows(database)
    session, events = told(1, known)
    await rows.record(session, events)
    other, others = told(2, length)
    beginning = told(0, 1)[1]

    with pytest.raises(HistoryDiffers, match="another one in the database"):
        await rows.record(other.model_copy(update={"revision": 99}), others if is_whole else others[len(beginning) :])

    assert await rows.find(ORGANISATION, session.session_id) == session
    assert await rows.events(ORGANISATION, session.session_id) == events


@pytest.mark.parametrize("first", range(8))
async def test_any_part_of_the_same_history_is_taken_again(database: AsyncEngine, first: int) -> None:
    rows = DatabaseSessionRows(database)
    session, events = told(1, 2)
    await rows.record(session, events)
    longer, all_events = told(1, 3)

    await rows.record(longer, all_events[first:])

    assert await rows.events(ORGANISATION, session.session_id) == events + all_events[max(first, len(events)) :]
