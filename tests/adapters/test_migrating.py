"""The schema: made step by step, undone likewise, the same as the code knows it; in SQLite and in PostgreSQL."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel

import adapters.database
from adapters.database import engine as engine_module
from adapters.database.engine import make_engine, transaction
from adapters.database.repositories.name_search import SQLITE_INDEX_TABLES
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.schema import UNLIMITED, migrate, migrations
from ports.database import DatabaseUnavailable, MigrationDelayed
from tests import ROOT
from tests.adapters import later_migration
from tests.adapters.conftest import KINDS
from tests.adapters.postgres_server import address
from tests.databases import LIMITS

OTHERWISE_MADE = {
    "sessions_by_part_of_name",  # PostgreSQL's index of names, where its extension can be had
    "sessions_by_completion",  # in PostgreSQL with nulls first, which the model cannot say; test_list_plans uses both
    "sessions_by_status_and_completion",
}


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}"
    return str(request.getfixturevalue("fresh_postgres"))


@pytest.mark.parametrize(("user", "name"), [("undersign", "nowhere"), ("nobody", "postgres")])
async def test_a_database_that_lets_nobody_in_is_unavailable_and_says_so(postgres: str, user: str, name: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="refuses the user or the password, or does not exist"):
        await migrate(address(postgres, name, user))


def is_of_the_code(_: object, name: str | None, kind: str, *__: object) -> bool:
    """Whether the code describes it in every database."""
    if kind == "table":
        return not (name or "").startswith(SQLITE_INDEX_TABLES)
    return name not in OTHERWISE_MADE


async def test_the_migrations_make_the_tables_that_the_code_knows(database: AsyncEngine) -> None:
    for module in iter_modules(adapters.database.__path__):
        import_module(f"adapters.database.{module.name}")

    def differences(connection: Connection) -> list[Any]:
        options = {"include_object": is_of_the_code, "compare_type": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), SQLModel.metadata))

    async with database.connect() as connection:
        assert await connection.run_sync(differences) == []


def revisions() -> list[str]:
    """All revisions, the first one first."""
    return [script.revision for script in ScriptDirectory(str(engine_module.MIGRATIONS)).walk_revisions()][::-1]


def step(act: Callable[..., None], to: str) -> Callable[[Connection], None]:
    return lambda connection: act(migrations(connection), to)


def schema(connection: Connection) -> dict[str, Any]:
    """What there is: of each table its columns with their types, and its indexes."""
    held = inspect(connection)
    found: dict[str, Any] = {}
    for table in set(held.get_table_names()) - {"alembic_version"}:
        if table.startswith(SQLITE_INDEX_TABLES):
            found[table] = "made by FTS5"
            continue
        columns = {column["name"]: (str(column["type"]), column["nullable"]) for column in held.get_columns(table)}
        indexes = {index["name"]: (index["column_names"], index["unique"]) for index in held.get_indexes(table)}
        found[table] = columns, held.get_pk_constraint(table)["constrained_columns"], indexes
    return found


async def test_every_migration_can_be_undone_by_itself_and_done_again(empty: str, revision_before: str) -> None:
    engine = make_engine(empty, UNLIMITED)
    assert revisions()[-2:] == [revision_before, later_migration.REVISION]
    made: list[dict[str, Any]] = [{}]
    async with engine.begin() as connection:
        for revision in revisions():
            await connection.run_sync(step(command.upgrade, revision))
            done = await connection.run_sync(schema)
            await connection.run_sync(step(command.downgrade, "-1"))
            assert await connection.run_sync(schema) == made[-1], f"downgrade of {revision}"
            await connection.run_sync(step(command.upgrade, revision))
            assert await connection.run_sync(schema) == done, f"upgrade to {revision} after a downgrade"
            made.append(done)
        await connection.run_sync(step(command.downgrade, "base"))
        assert await connection.run_sync(schema) == {}
    await engine.dispose()

    assert made[-1].keys() >= {"organisations", "sessions", "events", "callbacks"}


async def test_processes_that_start_at_once_migrate_once(empty: str) -> None:
    code = "import asyncio, sys; from adapters.database.schema import migrate; asyncio.run(migrate(sys.argv[1]))"
    started = [await asyncio.create_subprocess_exec(sys.executable, "-c", code, empty, cwd=ROOT) for _ in range(4)]

    assert [await process.wait() for process in started] == [0, 0, 0, 0]
    engine = make_engine(empty, LIMITS)
    async with engine.connect() as connection:
        versions = await connection.execute(text("SELECT version_num FROM alembic_version"))
        assert versions.scalars().all() == [revisions()[-1]]
    await engine.dispose()


async def test_a_version_back_works_with_what_a_newer_one_has_made(
    empty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await migrate(empty)
    engine = make_engine(empty, LIMITS)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await migrate(empty)

    assert "9999" in capsys.readouterr().out
    assert await DatabaseOrganisations(engine).list() == ()
    await engine.dispose()


async def test_a_migration_that_would_make_others_wait_gives_up(
    fresh_postgres: str, revision_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_engine(fresh_postgres, LIMITS)
    async with engine.begin() as connection:
        await connection.run_sync(step(command.upgrade, revision_before))
    monkeypatch.setattr(engine_module, "DDL_MILLISECONDS", 50)
    async with engine.begin() as reader:
        await reader.execute(text("SELECT count(*) FROM sessions"))  # holds a lock until its transaction ends
        with pytest.raises(MigrationDelayed, match="ALTER TABLE sessions"):
            await migrate(fresh_postgres)
    await migrate(fresh_postgres)
    await engine.dispose()


async def test_a_statement_that_takes_too_long_is_given_up(fresh_postgres: str) -> None:
    engine = make_engine(fresh_postgres, replace(LIMITS, statement=1))
    with pytest.raises(DatabaseUnavailable):
        async with transaction(engine) as session:
            await session.exec(text("SELECT pg_sleep(5)"))  # type: ignore[call-overload]
    await engine.dispose()


async def test_no_more_connections_are_made_than_are_allowed(fresh_postgres: str) -> None:
    engine = make_engine(fresh_postgres, replace(LIMITS, connections=1, wait=1))
    async with transaction(engine) as session:
        await session.exec(text("SELECT 1"))  # type: ignore[call-overload]
        with pytest.raises(DatabaseUnavailable):
            async with transaction(engine) as other:
                await other.exec(text("SELECT 1"))  # type: ignore[call-overload]
    await engine.dispose()


async def test_a_server_that_falls_silent_is_not_waited_for(
    fresh_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "SILENCE_SECONDS", 0.1)
    engine = make_engine(fresh_postgres, replace(LIMITS, statement=1))
    async with transaction(engine) as session:
        silent = (await session.exec(text("SELECT pg_backend_pid()"))).scalar_one()  # type: ignore[call-overload]
    os.kill(silent, signal.SIGSTOP)
    try:
        with pytest.raises(DatabaseUnavailable):
            async with transaction(engine) as session:
                await session.exec(text("SELECT 1"))  # type: ignore[call-overload]
    finally:
        os.kill(silent, signal.SIGCONT)
    await engine.dispose()
