"""A session with its history, in one read, on both databases."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from ports.database import SessionRows
from tests.adapters.test_database import STRANGER, draft_and_sent
from tests.builders import NOON, ORGANISATION, audit, created


@pytest.fixture
def rows(database: AsyncEngine) -> SessionRows:
    return DatabaseSessionRows(database)


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

        assert all(history is not None and history.is_whole for history in found)
