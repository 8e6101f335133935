"""What the database promises, on the fake and on both databases."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, transaction
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema import migrate
from adapters.database.tables.sessions import SessionRow
from domain.audit.events import Event
from domain.session.session import Session, Transition
from domain.shared.ids import OrganisationId
from ports.database import DatabaseUnavailable, SessionRows
from tests.builders import NOON, ORGANISATION, audit, created, identifier
from tests.databases import LIMITS

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


async def test_what_is_recorded_is_found_as_it_was(rows: SessionRows) -> None:
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


async def test_of_an_erasure_the_first_receipt_is_kept(rows: SessionRows) -> None:
    draft, _, first, _ = draft_and_sent()
    await rows.record(draft, first)
    await rows.erase(ORGANISATION, draft.session_id, NOON)
    assert await rows.find_receipt(ORGANISATION, draft.session_id) is None
    assert [await rows.store_receipt(ORGANISATION, draft.session_id, name) for name in ("one", "two")] == ["one", "one"]
    assert await rows.find_receipt(ORGANISATION, draft.session_id) == "one"
    assert await rows.find_receipt(STRANGER, draft.session_id) is None


async def test_what_is_recorded_beside_the_erasure_is_erased_too(rows: SessionRows) -> None:
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


async def test_times_come_back_to_the_millisecond_in_utc(engine: AsyncEngine) -> None:
    step = created()
    at = NOON.replace(microsecond=123_000).astimezone(timezone(timedelta(hours=5)))
    session = step.session.model_copy(update={"updated_at": at, "revision": 1})
    await DatabaseSessionRows(engine).record(session, step.events)
    async with transaction(engine) as rows:
        row = await rows.get(SessionRow, (ORGANISATION, session.session_id))
    assert row is not None
    assert row.updated_at.isoformat(timespec="milliseconds") == "2026-06-12T12:00:00.123+00:00"


async def test_a_new_file_is_the_owners_alone_and_is_written_ahead(tmp_path: Path) -> None:
    path = tmp_path / "data" / "undersign.db"
    await migrate(f"sqlite+aiosqlite:///{path}")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "undersign.db").mkdir()
    address = f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}"
    engine = make_engine(address, LIMITS)
    with pytest.raises(DatabaseUnavailable):
        await DatabaseSessionRows(engine).find(ORGANISATION, created().session.session_id)
    await engine.dispose()
    with pytest.raises(DatabaseUnavailable):
        await migrate(address)


async def test_a_database_whose_folder_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(DatabaseUnavailable):
        await migrate(f"sqlite+aiosqlite:///{tmp_path / 'data' / 'undersign.db'}")


async def test_writers_of_one_process_stand_in_line_for_sqlite(engine: AsyncEngine) -> None:
    rows = DatabaseSessionRows(engine)
    steps = [created(name=f"Agreement {number}") for number in range(30)]
    done: list[str] = []

    async def write(step: Transition) -> None:
        await rows.record(step.session, step.events)
        done.append(step.session.name)

    await asyncio.gather(*map(write, steps))

    assert done == [step.session.name for step in steps]
