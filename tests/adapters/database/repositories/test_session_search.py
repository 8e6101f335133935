"""The index of names in PostgreSQL: when a start creates it, and what it reports otherwise."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from adapters.database import schema_migration
from adapters.database.engine import make_engine
from adapters.database.repositories import session_search
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import migrate
from domain.session.list_query import SessionQuery
from domain.shared.ids import SessionId
from tests.adapters.postgres_server import address
from tests.builders import ORGANISATION, created, identifier
from tests.databases import LIMITS

INDEX = "sessions_by_part_of_name"
WARNING = "names are searched without an index"


@asynccontextmanager
async def a_writer(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Somebody in whose open transaction sessions are changed."""
    async with engine.begin() as writer:
        await writer.execute(text("UPDATE sessions SET revision = revision + 1"))
        yield writer


async def alone(engine: AsyncEngine, statement: str) -> object:
    """The first thing that the statement gives, outside any transaction."""
    async with engine.connect() as connection:
        own = await connection.execution_options(isolation_level="AUTOCOMMIT")
        done = await own.exec_driver_sql(statement)
        return done.scalar() if done.returns_rows else None


async def start(engine: AsyncEngine) -> None:
    await migrate(engine.url.render_as_string(hide_password=False))


async def record_leases(engine: AsyncEngine, count: int) -> None:
    for number in range(count):
        step = created(name=f"Lease {number}")
        own = step.session.model_copy(update={"session_id": SessionId(identifier(f"lease {number}"))})
        await DatabaseSessionRows(engine).record(own, ())


async def leases(engine: AsyncEngine) -> int:
    return (await DatabaseSessionRows(engine).list_sessions(ORGANISATION, SessionQuery(name="lease"))).total


async def is_indexed(engine: AsyncEngine) -> bool:
    return await alone(engine, f"SELECT to_regclass('{INDEX}')") is not None


async def test_a_start_does_not_wait_for_writers(
    postgres_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema_migration, "DDL_MILLISECONDS", 50)
    await record_leases(postgres_engine, 1)

    async with a_writer(postgres_engine):
        await start(postgres_engine)

    assert WARNING not in capsys.readouterr().out


async def test_a_missing_index_is_created_without_writers(
    postgres_engine: AsyncEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    await record_leases(postgres_engine, 1)
    await alone(postgres_engine, f"DROP INDEX {INDEX}")

    async with a_writer(postgres_engine):
        await start(postgres_engine)

    assert WARNING in capsys.readouterr().out
    assert not await is_indexed(postgres_engine)
    await start(postgres_engine)
    assert await is_indexed(postgres_engine)


async def test_the_index_of_many_sessions_is_left_to_the_operator(
    postgres_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session_search, "AT_ONCE", 2)
    await record_leases(postgres_engine, 3)
    await alone(postgres_engine, f"DROP INDEX {INDEX}")

    await start(postgres_engine)

    assert not await is_indexed(postgres_engine)
    advice = re.search(r"CREATE INDEX CONCURRENTLY .*\)", capsys.readouterr().out)
    assert advice
    await alone(postgres_engine, advice[0])
    await start(postgres_engine)
    assert WARNING not in capsys.readouterr().out
    assert await leases(postgres_engine) == 3


async def test_an_invalid_index_is_reported_and_not_used(
    postgres_engine: AsyncEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    await record_leases(postgres_engine, 1)
    # As a CREATE INDEX CONCURRENTLY leaves it that did not come to its end.
    await alone(postgres_engine, f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{INDEX}'::regclass")  # noqa: S608

    await start(postgres_engine)

    assert f"DROP INDEX CONCURRENTLY {INDEX}" in capsys.readouterr().out
    async with postgres_engine.connect() as connection:
        assert await session_search.find_by_name(connection, ORGANISATION, "lease", 10) is None
    assert await leases(postgres_engine) == 1


async def test_names_are_compared_until_the_role_may_create_extensions(
    postgres: str, fresh_postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = fresh_postgres.partition("@/")[2].partition("?")[0]
    owner = make_engine(fresh_postgres, LIMITS)
    async with owner.begin() as connection:
        await connection.exec_driver_sql("CREATE ROLE tenant LOGIN")
        await connection.exec_driver_sql("GRANT CREATE ON SCHEMA public TO tenant")
    tenant = make_engine(address(postgres, name, "tenant"), LIMITS)
    await start(tenant)
    await record_leases(tenant, 1)

    assert "CREATE EXTENSION IF NOT EXISTS pg_trgm" in capsys.readouterr().out
    assert not await is_indexed(tenant)
    assert await leases(tenant) == 1
    async with owner.begin() as connection:
        for extension in ("pg_trgm", "btree_gin"):
            await connection.exec_driver_sql(f"CREATE EXTENSION {extension}")
    await start(tenant)
    assert await is_indexed(tenant)
    assert await leases(tenant) == 1
    for engine in (owner, tenant):
        await engine.dispose()
