"""The schema of the database: its migration, and its state compared with this version of the service."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.connection_limits import ConnectionLimits
from adapters.database.engine import LOCKED, is_sqlite, make_engine, map_failures, reading, sqlstate
from adapters.database.repositories import session_search
from adapters.files import write_once
from domain.ports.database import MigrationDelayed

UNLIMITED = ConnectionLimits(connections=1, wait=30, statement=0)
"""The limits of migrations: no statement timeout, because they may build an index."""

MIGRATIONS = Path(__file__).with_name("migrations")
"""The folder of Alembic's scripts."""

MIGRATION_MILLISECONDS = 60_000
"""How long a process waits for another one that migrates the database. Creating tables is slow on a slow disk."""

DDL_MILLISECONDS = 5_000
"""How long a migration waits for a lock on a table of PostgreSQL. Later statements on the table wait behind it."""

MIGRATION_LOCK = 7_236_473
"""The advisory lock for migrations of PostgreSQL: an arbitrary constant."""

_LOCK_HOLDER = text(
    "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database"
    " WHERE locktype = 'advisory' AND objid = :number AND granted AND datname = current_database()"
).bindparams(number=MIGRATION_LOCK)

log = structlog.get_logger(__name__)


@asynccontextmanager
async def open_database(address: str, limits: ConnectionLimits) -> AsyncIterator[AsyncEngine]:
    """Migrates the database and yields its engine. Raises the same as `migrate`."""
    await migrate(address)
    engine = make_engine(address, limits)
    try:
        yield engine
    finally:
        await engine.dispose()


async def migrate(address: str) -> None:
    """Upgrades the schema. If two processes start at the same time, one migrates and the other waits.

    A schema of a newer version stays unchanged (docs/engines.md). Raises `MigrationDelayed` or `DatabaseUnavailable`.
    """
    with map_failures():
        url = make_url(address)
        if is_sqlite(url) and url.database:
            await asyncio.to_thread(_ensure_file, Path(url.database))
        engine = make_engine(address, UNLIMITED)
        try:
            async with engine.connect() as connection:
                await connection.run_sync(_upgrade)
                await connection.commit()
        finally:
            await engine.dispose()


def _ensure_file(path: Path) -> None:
    """Creates the file of a SQLite database with write-ahead logging, readable by its owner only.

    The journal mode is set before the file gets its name: if two processes set it in one file, SQLite refuses one.
    """
    if path.exists():
        return
    with TemporaryDirectory() as folder:
        empty = Path(folder, "empty.db")
        with closing(sqlite3.connect(empty)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        # Another process created the file first.
        with suppress(FileExistsError):
            write_once(path, empty.read_bytes())


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        # Takes the write lock now, so that the other process waits here and then finds nothing left to do.
        connection.exec_driver_sql(f"PRAGMA busy_timeout={MIGRATION_MILLISECONDS}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        _lock_migration(connection)
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {DDL_MILLISECONDS}")
    if _state(connection) is SchemaState.NEWER:
        log.warning("the database was migrated by a newer version and stays unchanged", revision=_revision(connection))
        return
    try:
        command.upgrade(migrations(connection), "head")
    except DBAPIError as error:
        if sqlstate(error.orig) != LOCKED:
            raise
        statement = " ".join((error.statement or "").split())[:100]
        raise MigrationDelayed(
            f"a migration waited {DDL_MILLISECONDS / 1000:g} s for a lock that others hold ({statement}), and gave up, "
            "because later statements wait behind it: end long transactions (pg_stat_activity), then start again"
        ) from error
    session_search.ensure_index(connection)


def _lock_migration(connection: Connection) -> None:
    """Waits until no other process migrates PostgreSQL. The lock ends with the transaction."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # overrides the role's setting
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {MIGRATION_MILLISECONDS}")
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    except DBAPIError as error:
        if sqlstate(error.orig) != LOCKED:
            raise
        holder = connection.execute(_LOCK_HOLDER).scalar()
        raise MigrationDelayed(
            f"another process has been migrating the database for more than {MIGRATION_MILLISECONDS / 1000:g} s "
            f"(pid {holder} in pg_stat_activity): let it end, or end it with pg_terminate_backend, then start again"
        ) from error


def migrations(connection: Connection) -> Config:
    """Returns Alembic's configuration for the migrations, to be applied on that connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))  # it is interpolated
    config.attributes["connection"] = connection
    return config


class SchemaState(Enum):
    """The state of the schema. This version works with a newer one too (docs/engines.md)."""

    CURRENT = auto()
    OLDER = auto()
    NEWER = auto()
    MISSING = auto()


async def read_schema(engine: AsyncEngine) -> SchemaState:
    """Returns the state of the schema, and changes nothing. Raises `DatabaseUnavailable`."""
    async with reading(engine) as connection:
        return await connection.run_sync(_state)


_OBSTACLES: Final = """
    SELECT
        current_setting('server_encoding') AS encoding,
        pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS is_read_only,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
        has_database_privilege(current_database(), 'CREATE')
            OR 2 = (SELECT count(*) FROM pg_extension WHERE extname IN ('pg_trgm', 'btree_gin')) AS has_extensions,
        (SELECT min(relname) FROM pg_class WHERE relnamespace = current_schema()::regnamespace
            AND relname IN ('sessions', 'events', 'installation') AND NOT
            (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
            AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) AS closed_table
"""


async def find_obstacle(engine: AsyncEngine, state: SchemaState) -> str | None:
    """Returns what keeps the user of this PostgreSQL database from using its tables, or from creating them.

    Returns None for SQLite. Raises `DatabaseUnavailable`.
    """
    if engine.dialect.name == "sqlite":
        return None
    async with reading(engine) as connection:
        found = (await connection.exec_driver_sql(_OBSTACLES)).one()
    makes_tables = state in {SchemaState.MISSING, SchemaState.OLDER}
    obstacles = (
        (found.encoding != "UTF8", f"its encoding is {found.encoding}: create a database with the encoding UTF8."),
        (found.is_read_only, "it can only be read, as a replica: name the primary server, or permit writes."),
        (
            makes_tables and not found.may_create,
            "this user may not create tables there: run undersign migrate as one that may, or grant CREATE.",
        ),
        (
            state is SchemaState.MISSING and not found.has_extensions,
            "it lacks the extensions pg_trgm and btree_gin, which this user may not create.",
        ),
        (
            found.closed_table is not None,
            f"this user may not read and write its table {found.closed_table}: grant SELECT, INSERT, UPDATE, DELETE.",
        ),
    )
    return next((words for applies, words in obstacles if applies), None)


async def is_newer(engine: AsyncEngine) -> bool:
    """Returns whether a newer version has migrated the schema. Raises `DatabaseUnavailable`."""
    return await read_schema(engine) is SchemaState.NEWER


async def read_clock(engine: AsyncEngine) -> datetime | None:
    """Returns the time of the database server; None for SQLite, which has no clock. Raises `DatabaseUnavailable`."""
    if engine.dialect.name == "sqlite":
        return None
    async with reading(engine) as connection:
        now: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
        return now


def _state(connection: Connection) -> SchemaState:
    revision = _revision(connection)
    if revision is None:
        return SchemaState.MISSING
    scripts = ScriptDirectory.from_config(migrations(connection))
    if revision == scripts.get_current_head():
        return SchemaState.CURRENT
    is_known = revision in {script.revision for script in scripts.walk_revisions()}
    return SchemaState.OLDER if is_known else SchemaState.NEWER


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
