"""The schema: migrations up and down, in SQLite and PostgreSQL."""

import asyncio
import sqlite3
import stat
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
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
from adapters.database import schema_migration as schema_module
from adapters.database.engine import make_engine
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.session_search import SQLITE_INDEX_TABLES
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import UNLIMITED, SchemaState, migrate, migrations, read_schema
from domain.ports.database import MigrationDelayed
from domain.session.list_query import SessionQuery
from domain.session.session import Session
from domain.shared.ids import SessionId
from tests import ROOT
from tests.adapters import later_migration
from tests.adapters.conftest import KINDS
from tests.builders import ORGANISATION, created, identifier, recipient
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


@pytest.fixture
async def blank(empty: str) -> AsyncIterator[AsyncEngine]:
    """An empty database."""
    engine = make_engine(empty, UNLIMITED)
    yield engine
    await engine.dispose()


def address_of(engine: AsyncEngine) -> str:
    return engine.url.render_as_string(hide_password=False)


async def set_revision(engine: AsyncEngine, revision: str) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :put"), {"put": revision})


def is_of_the_code(_: object, name: str | None, kind: str, *__: object) -> bool:
    """Whether the code describes it in every database."""
    if kind == "table":
        return not (name or "").startswith(SQLITE_INDEX_TABLES)
    return name not in OTHERWISE_MADE


async def test_migrations_make_the_tables_of_the_code(database: AsyncEngine) -> None:
    for module in iter_modules(adapters.database.__path__):
        import_module(f"adapters.database.{module.name}")

    def differences(connection: Connection) -> list[Any]:
        options = {"include_object": is_of_the_code, "compare_type": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), SQLModel.metadata))

    async with database.connect() as connection:
        assert await connection.run_sync(differences) == []


def revisions() -> list[str]:
    """All revisions, the first one first."""
    return [script.revision for script in ScriptDirectory(str(schema_module.MIGRATIONS)).walk_revisions()][::-1]


def step(act: Callable[..., None], to: str) -> Callable[[Connection], None]:
    return lambda connection: act(migrations(connection), to)


def schema(connection: Connection) -> dict[str, Any]:
    """What there is: of each table its columns with their types, and its indexes."""
    inspector = inspect(connection)
    found: dict[str, Any] = {}
    for table in set(inspector.get_table_names()) - {"alembic_version"}:
        if table.startswith(SQLITE_INDEX_TABLES):
            found[table] = "made by FTS5"
            continue
        columns = {column["name"]: (str(column["type"]), column["nullable"]) for column in inspector.get_columns(table)}
        indexes = {index["name"]: (index["column_names"], index["unique"]) for index in inspector.get_indexes(table)}
        found[table] = columns, inspector.get_pk_constraint(table)["constrained_columns"], indexes
    return found


async def test_every_migration_can_be_undone_by_itself_and_done_again(blank: AsyncEngine, revision_before: str) -> None:
    assert revisions()[-2:] == [revision_before, later_migration.REVISION]
    made: list[dict[str, Any]] = [{}]
    async with blank.begin() as connection:
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
    assert made[-1].keys() >= {"organisations", "sessions", "events", "callbacks"}


async def test_processes_that_start_at_once_migrate_once(empty: str, blank: AsyncEngine) -> None:
    code = (
        "import asyncio, sys; from adapters.database.schema_migration import migrate; asyncio.run(migrate(sys.argv[1]))"
    )
    started = [await asyncio.create_subprocess_exec(sys.executable, "-c", code, empty, cwd=ROOT) for _ in range(4)]

    assert [await process.wait() for process in started] == [0, 0, 0, 0]
    async with blank.connect() as connection:
        versions = await connection.execute(text("SELECT version_num FROM alembic_version"))
        assert versions.scalars().all() == [revisions()[-1]]


async def test_the_schema_of_a_newer_version_works(blank: AsyncEngine, capsys: pytest.CaptureFixture[str]) -> None:
    await migrate(address_of(blank))
    await set_revision(blank, "9999")

    await migrate(address_of(blank))

    assert "9999" in capsys.readouterr().out
    assert await DatabaseOrganisations(blank).list() == ()


async def test_a_blocking_migration_ends(
    fresh_postgres: str, revision_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_engine(fresh_postgres, LIMITS)
    async with engine.begin() as connection:
        await connection.run_sync(step(command.upgrade, revision_before))
    monkeypatch.setattr(schema_module, "DDL_MILLISECONDS", 50)
    async with engine.begin() as reader:
        await reader.execute(text("SELECT count(*) FROM sessions"))  # holds a lock until its transaction ends
        with pytest.raises(MigrationDelayed, match="ALTER TABLE sessions"):
            await migrate(fresh_postgres)
    await migrate(fresh_postgres)
    await engine.dispose()


async def test_a_new_file_is_readable_by_its_owner_only_and_has_a_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "data" / "undersign.db"
    await migrate(f"sqlite+aiosqlite:///{path}")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_the_state_of_the_schema_is_that_of_its_revision(blank: AsyncEngine, revision_before: str) -> None:
    assert await read_schema(blank) is SchemaState.MISSING
    await migrate(address_of(blank))
    assert await read_schema(blank) is SchemaState.CURRENT
    for revision, state in ((revision_before, SchemaState.OLDER), ("9999", SchemaState.NEWER)):
        await set_revision(blank, revision)
        assert await read_schema(blank) is state


def session(name: str) -> Session:
    twice = (recipient("ada", email="Ada@Example.com"), recipient("office", email="ada@example.com"))
    return created(*twice, recipient("grace"), name=name).session.model_copy(
        update={"session_id": SessionId(identifier(name))}
    )


async def test_names_are_found_through_an_upgrade_and_a_downgrade(
    empty: str, blank: AsyncEngine, revision_before: str
) -> None:
    rows = DatabaseSessionRows(blank)

    async def check() -> None:
        for query in (SessionQuery(name="straße"), SessionQuery(recipient_email="ada@example.com")):
            assert (await rows.list_sessions(ORGANISATION, query)).total == 1

    async with blank.begin() as connection:
        await connection.run_sync(step(command.upgrade, revision_before))
    await rows.record(session("Vertrag STRASSE 1"), ())
    await migrate(empty)
    await check()
    async with blank.begin() as connection:
        await connection.run_sync(step(command.downgrade, revision_before))
    await check()
    await migrate(empty)
    await check()
    async with blank.connect() as connection:
        assert (await connection.execute(text("SELECT note FROM sessions"))).scalars().all() == ["Vertrag STRASSE 1"]
    await rows.erase(ORGANISATION, session("Vertrag STRASSE 1").session_id, created().session.created_at)
    assert (await rows.list_sessions(ORGANISATION, SessionQuery(name="straße"))).total == 0


async def test_a_start_names_the_process_of_an_endless_migration(
    fresh_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_module, "MIGRATION_MILLISECONDS", 50)
    hung = make_engine(fresh_postgres, LIMITS)
    async with hung.begin() as connection:
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({schema_module.MIGRATION_LOCK})")
        pid = (await connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar()
        with pytest.raises(MigrationDelayed, match=rf"pid {pid} .*pg_terminate_backend"):
            await migrate(fresh_postgres)

    await migrate(fresh_postgres)
    await hung.dispose()


async def test_a_migration_has_no_statement_timeout(fresh_postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_module, "MIGRATION_MILLISECONDS", 1_000)
    owner = make_engine(fresh_postgres, LIMITS)
    async with owner.begin() as connection:
        await connection.exec_driver_sql(f"ALTER DATABASE {owner.url.database} SET statement_timeout = 500")
    async with owner.begin() as connection:
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({schema_module.MIGRATION_LOCK})")
        with pytest.raises(MigrationDelayed):  # not because of a statement that took too long
            await migrate(fresh_postgres)
    await owner.dispose()
