"""What migrations make of what is there already, in SQLite and in PostgreSQL."""

from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, migrate, migrations
from adapters.database.sessions import DatabaseSessionRows
from domain.ids import SessionId
from domain.listing import SessionQuery
from domain.session import Session
from tests.adapters.postgres_server import address
from tests.builders import ORGANISATION, created, identifier, recipient

BEFORE_LISTS = "0007"
ADDITION = text(
    "INSERT INTO sessions (organisation_id, session_id, revision, name, status, created_at, updated_at, snapshot)"
    " VALUES (:organisation_id, :session_id, 0, :name, 'draft', '2026-06-12 12:00:00', '2026-06-12 12:00:00', {})"
)


def session(name: str) -> Session:
    twice = (recipient("ada", email="Ada@Example.com"), recipient("office", email="ada@example.com"))
    return created(*twice, recipient("grace"), name=name).session.model_copy(
        update={"session_id": SessionId(identifier(name))}
    )


def add(connection: Connection, sessions: list[Session]) -> None:
    snapshot = ":snapshot" if connection.dialect.name == "sqlite" else "CAST(:snapshot AS json)"
    connection.execute(
        text(ADDITION.text.format(snapshot)),
        [
            {
                "organisation_id": held.organisation_id,
                "session_id": held.session_id,
                "name": held.name,
                "snapshot": held.model_dump_json(),
            }
            for held in sessions
        ],
    )


def to(revision: str, act: Callable[..., None]) -> Callable[[Connection], None]:
    def move(connection: Connection) -> None:
        act(migrations(connection), revision)

    return move


@pytest.fixture(params=["sqlite", "postgresql"])
def unmigrated(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}"
    return str(request.getfixturevalue("fresh_postgres"))


async def test_sessions_that_were_there_before_are_listed_searched_and_found_by_their_recipients(
    unmigrated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_engine(unmigrated)
    held = [session(f"Vertrag STRASSE {number}") for number in range(2_345)]
    async with engine.begin() as connection:
        await connection.run_sync(to(BEFORE_LISTS, command.upgrade))
        await connection.run_sync(add, held)
    await migrate(unmigrated)
    rows = DatabaseSessionRows(engine)

    async def total(**query: str) -> int:
        return (await rows.list_sessions(ORGANISATION, SessionQuery(**query))).total  # type: ignore[arg-type]

    assert await total() == 2_345
    assert await total(name="straße 1234") == 1
    assert await total(recipient_email="ada@example.com") == 2_345
    await rows.erase(ORGANISATION, held[1234].session_id, held[0].created_at)
    assert await total(name="straße 1234") == 0
    await engine.dispose()


async def test_a_migration_can_be_undone_and_done_again(unmigrated: str) -> None:
    await migrate(unmigrated)
    engine = make_engine(unmigrated)
    rows = DatabaseSessionRows(engine)
    await rows.record(session("Lease"), ())
    async with engine.begin() as connection:
        await connection.run_sync(to(BEFORE_LISTS, command.downgrade))
    await migrate(unmigrated)

    assert (await rows.list_sessions(ORGANISATION, SessionQuery(name="lease"))).total == 1
    await engine.dispose()


async def has_index(engine: AsyncEngine) -> bool:
    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT to_regclass('sessions_by_part_of_name')"))
        return found.scalar() is not None


async def test_without_leave_for_extensions_names_are_compared_until_somebody_gives_it(
    postgres: str, fresh_postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = fresh_postgres.partition("@/")[2].partition("?")[0]
    owner = make_engine(fresh_postgres)
    async with owner.begin() as connection:
        await connection.exec_driver_sql("CREATE ROLE tenant LOGIN")
        await connection.exec_driver_sql("GRANT CREATE ON SCHEMA public TO tenant")
    tenant = make_engine(address(postgres, name, "tenant"))
    rows = DatabaseSessionRows(tenant)

    await migrate(address(postgres, name, "tenant"))
    await rows.record(session("Lease"), ())

    assert "CREATE EXTENSION IF NOT EXISTS pg_trgm" in capsys.readouterr().out
    assert not await has_index(tenant)
    assert (await rows.list_sessions(ORGANISATION, SessionQuery(name="lease"))).total == 1
    async with owner.begin() as connection:
        for extension in ("pg_trgm", "btree_gin"):
            await connection.exec_driver_sql(f"CREATE EXTENSION {extension}")
    await migrate(address(postgres, name, "tenant"))
    assert await has_index(tenant)
    assert (await rows.list_sessions(ORGANISATION, SessionQuery(name="lease"))).total == 1
    for engine in (owner, tenant):
        await engine.dispose()
