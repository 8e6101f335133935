"""What the database promises, on the fake and on SQLite."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel

from adapters.database.engine import make_engine, migrate
from adapters.database.organisations import DatabaseOrganisations
from adapters.database.port import ClientCredentials, DatabaseUnavailable, Organisation, Organisations, SessionRows
from adapters.database.sessions import DatabaseSessionRows
from domain.events import Event
from domain.ids import ClientId, OrganisationId
from domain.session import Session
from tests.builders import NOON, ORGANISATION, created, identifier, occasion
from tests.fakes.database import MemoryOrganisations, MemorySessionRows

STRANGER = OrganisationId(identifier("stranger"))


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    address = f"sqlite+aiosqlite:///{tmp_path / 'data' / 'undersign.db'}"
    await migrate(address)
    engine = make_engine(address)
    yield engine
    await engine.dispose()


@pytest.fixture(params=["memory", "sqlite"])
def rows(request: pytest.FixtureRequest, engine: AsyncEngine) -> SessionRows:
    return MemorySessionRows() if request.param == "memory" else DatabaseSessionRows(engine)


@pytest.fixture(params=["memory", "sqlite"])
def organisations(request: pytest.FixtureRequest, engine: AsyncEngine) -> Organisations:
    return MemoryOrganisations() if request.param == "memory" else DatabaseOrganisations(engine)


def draft_and_sent() -> tuple[Session, Session, tuple[Event, ...], tuple[Event, ...]]:
    draft = created()
    sent = draft.session.send(occasion())
    return draft.session, sent.session.revised(), draft.events, sent.events


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


async def test_organisations_and_clients_are_found_as_they_were_added(organisations: Organisations) -> None:
    northwind = Organisation(ORGANISATION, "Northwind Trading")
    client = ClientCredentials(
        ClientId(identifier("client")), ORGANISATION, "Back office", "a" * 64, ("read:sessions",), revoked_at=NOON
    )
    await organisations.add(northwind)
    await organisations.add_client(client)
    assert await organisations.get(ORGANISATION) == northwind
    assert await organisations.find_client(client.client_id) == client
    assert await organisations.get(STRANGER) is None
    assert await organisations.find_client(ClientId(identifier("nobody"))) is None


async def test_two_processes_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}"
    await asyncio.gather(*(migrate(address) for _ in range(4)))
    await migrate(address)


async def test_the_migrations_make_the_tables_that_the_code_knows(engine: AsyncEngine) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "undersign.db").mkdir()
    engine = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}")
    with pytest.raises(DatabaseUnavailable):
        await DatabaseSessionRows(engine).find(ORGANISATION, created().session.session_id)
    await engine.dispose()
