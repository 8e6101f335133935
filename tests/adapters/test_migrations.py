"""What migrations make of what is there already, in SQLite and in PostgreSQL."""

from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema import migrate, migrations
from domain.session.list_query import SessionQuery
from domain.session.session import Session
from domain.shared.ids import SessionId
from tests.adapters.conftest import KINDS
from tests.adapters.postgres_server import address
from tests.builders import ORGANISATION, created, identifier, recipient
from tests.databases import LIMITS


def session(name: str) -> Session:
    twice = (recipient("ada", email="Ada@Example.com"), recipient("office", email="ada@example.com"))
    return created(*twice, recipient("grace"), name=name).session.model_copy(
        update={"session_id": SessionId(identifier(name))}
    )


def to(revision: str, act: Callable[..., None]) -> Callable[[Connection], None]:
    def move(connection: Connection) -> None:
        act(migrations(connection), revision)

    return move


@pytest.fixture(params=KINDS)
def unmigrated(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}"
    return str(request.getfixturevalue("fresh_postgres"))


async def test_sessions_are_found_by_their_names_through_an_update_of_the_schema_and_back(
    unmigrated: str, revision_before: str
) -> None:
    engine = make_engine(unmigrated, LIMITS)
    rows = DatabaseSessionRows(engine)

    async def check() -> None:
        for query in (SessionQuery(name="straße"), SessionQuery(recipient_email="ada@example.com")):
            assert (await rows.list_sessions(ORGANISATION, query)).total == 1

    async with engine.begin() as connection:
        await connection.run_sync(to(revision_before, command.upgrade))
    await rows.record(session("Vertrag STRASSE 1"), ())
    await migrate(unmigrated)
    await check()
    async with engine.begin() as connection:
        await connection.run_sync(to(revision_before, command.downgrade))
    await check()
    await migrate(unmigrated)
    await check()
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT note FROM sessions"))).scalars().all() == ["Vertrag STRASSE 1"]
    await rows.erase(ORGANISATION, session("Vertrag STRASSE 1").session_id, created().session.created_at)
    assert (await rows.list_sessions(ORGANISATION, SessionQuery(name="straße"))).total == 0
    await engine.dispose()


async def has_index(engine: AsyncEngine) -> bool:
    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT to_regclass('sessions_by_part_of_name')"))
        return found.scalar() is not None


async def test_without_leave_for_extensions_names_are_compared_until_somebody_gives_it(
    postgres: str, fresh_postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = fresh_postgres.partition("@/")[2].partition("?")[0]
    owner = make_engine(fresh_postgres, LIMITS)
    async with owner.begin() as connection:
        await connection.exec_driver_sql("CREATE ROLE tenant LOGIN")
        await connection.exec_driver_sql("GRANT CREATE ON SCHEMA public TO tenant")
    tenant = make_engine(address(postgres, name, "tenant"), LIMITS)
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
