"""The connection to the database, its schema, and the mapping of its failures."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, ColumnElement, Connection, Dialect, Engine, ExceptionContext, Table, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.limits import UNLIMITED, DatabaseLimits
from adapters.database.repositories import name_search
from adapters.files import write_once
from domain.shared.ids import OrganisationId, SessionId
from ports.database import DatabaseUnavailable, MigrationDelayed

MIGRATIONS = Path(__file__).with_name("migrations")
"""The folder of Alembic's scripts."""

SQLITE_BUSY_MILLISECONDS = 5_000
"""How long a writer waits for another one: API and worker share the file."""

CONNECT_SECONDS = 10
"""Seconds for connecting to PostgreSQL."""

SILENCE_SECONDS = 2.0
"""Seconds that we wait longer than PostgreSQL's own timeout: after that its machine or the network is unreachable."""

MIGRATION_MILLISECONDS = 60_000
"""How long a process waits for another one that migrates: on a slow disk it writes each table for a while."""

DDL_MILLISECONDS = 5_000
"""How long a migration waits for a lock on a table of PostgreSQL. Later statements on the table wait behind it."""

_LOCKED = "55P03"
"""PostgreSQL's code for a lock that was not to be had in time."""

_READ_ONLY = "25006"
"""SQLSTATE of a write in a read-only transaction: the server is no longer the primary."""

_TRANSIENT = ("08", "40", "53", _LOCKED, "57")
"""SQLSTATE prefixes of temporary failures: connection, deadlock, resources, locks, operator intervention."""

_ACCESS_DENIED = ("28", "3D")
"""SQLSTATE prefixes of a refused user and of a missing database."""

log = structlog.get_logger(__name__)

_MIGRATION = 7_236_473
"""The advisory lock for migrations of PostgreSQL: an arbitrary constant."""

_MIGRATION_HOLDER = text(
    "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database"
    " WHERE locktype = 'advisory' AND objid = :number AND granted AND datname = current_database()"
).bindparams(number=_MIGRATION)


def make_engine(address: str, limits: DatabaseLimits) -> AsyncEngine:
    """Creates an engine for a SQLAlchemy URL. Call `migrate` first."""
    url = make_url(address)
    engine = create_async_engine(
        url,
        pool_size=limits.connections,
        max_overflow=0,
        pool_timeout=limits.wait,
        pool_pre_ping=not _is_sqlite(url),
        hide_parameters=True,  # errors are shown and logged
        connect_args={} if _is_sqlite(url) else _connect_arguments(url, limits),
    )
    if _is_sqlite(url):
        event.listen(engine.sync_engine, "connect", _configure_sqlite)
    event.listen(engine.sync_engine, "handle_error", _handle_error)
    return engine


def _handle_error(context: ExceptionContext) -> None:
    """Forgets the row that PostgreSQL quotes, and all connections if one leads to a server that only reads by now."""
    told = context.original_exception.__cause__
    if getattr(told, "detail", None):
        told.detail = None  # type: ignore[union-attr]  # an error of asyncpg
    if _code(context.original_exception) == _READ_ONLY:
        context.is_disconnect = True


def _code(error: object) -> str:
    """The code that PostgreSQL gave a failure; another one has none."""
    return str(getattr(error, "sqlstate", None))


def _connect_arguments(url: URL, limits: DatabaseLimits) -> dict[str, object]:
    """Returns the connection arguments of asyncpg: application name and timeouts."""
    told = {"application_name": "undersign"}
    own: dict[str, object] = {"server_settings": told, "timeout": CONNECT_SECONDS}
    if url.query.get("prepared_statement_cache_size") == "0":  # SQLAlchemy's; the driver has a cache too
        own["statement_cache_size"] = 0
    if limits.statement:
        milliseconds = str(limits.statement * 1000)
        told |= {"statement_timeout": milliseconds, "idle_in_transaction_session_timeout": milliseconds}
        own["command_timeout"] = limits.statement + SILENCE_SECONDS
    return own


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _configure_sqlite(connection: object, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
    for pragma in (
        f"busy_timeout={SQLITE_BUSY_MILLISECONDS}",
        "synchronous=FULL",  # committed data survives a power failure
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
    """One transaction: committed at the end of the block, rolled back when it raises.

    Raises:
        DatabaseUnavailable: the database cannot be reached, or is too busy.
    """
    with _unavailable():
        async with AsyncSession(engine, expire_on_commit=False) as session, session.begin():
            yield session


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
    """A transaction for frequent writes.

    SQLite has one writer, and waiting writers poll with growing pauses, so that some wait for seconds under load.
    Writers of one process therefore queue here.

    Raises:
        DatabaseUnavailable: the database cannot be reached, or is too busy.
    """
    async with _write_lock(engine), transaction(engine) as session:
        yield session


def _write_lock(engine: AsyncEngine) -> AbstractAsyncContextManager[None]:
    if engine.dialect.name != "sqlite":
        return nullcontext()
    return _write_locks.setdefault(engine.sync_engine, asyncio.Lock())


_write_locks: WeakKeyDictionary[Engine, asyncio.Lock] = WeakKeyDictionary()


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection to look something up. It costs less than half of a transaction with mapped rows.

    Raises:
        DatabaseUnavailable: the database cannot be reached, or is too busy.
    """
    with _unavailable():
        async with engine.connect() as connection:
            yield connection


def insert_into(table: type[SQLModel] | Table, dialect: Dialect) -> sqlite.Insert | postgresql.Insert:
    """Returns an insert that supports ON CONFLICT."""
    return sqlite.insert(table) if dialect.name == "sqlite" else postgresql.insert(table)


async def migrate(address: str) -> None:
    """Upgrades the schema. If two processes start at the same time, one migrates and the other waits.

    The schema of a newer version stays unchanged, since the previous version works with it (docs/engines.md).

    Raises:
        MigrationDelayed: another process or transaction holds a lock that the migration needs.
        DatabaseUnavailable: the database cannot be reached, is too busy, or its file cannot be created.
    """
    with _unavailable():
        url = make_url(address)
        if _is_sqlite(url) and url.database:
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

    The mode is set before the file gets its name: if two processes set it in one file, SQLite refuses one.
    """
    if path.exists():
        return
    with TemporaryDirectory() as folder:
        empty = Path(folder, "empty.db")
        with closing(sqlite3.connect(empty)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        with suppress(FileExistsError):
            write_once(path, empty.read_bytes())


@contextmanager
def _unavailable() -> Iterator[None]:
    """Maps errors of drivers that may be temporary to `DatabaseUnavailable`."""
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeout, OSError) as error:
        raise DatabaseUnavailable("the database does not answer, or cannot be written; try again") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise DatabaseUnavailable("the connection to the database was lost; try again") from error
        if _code(error.orig).startswith(_TRANSIENT):
            raise DatabaseUnavailable("the database cancelled the statement; try again") from error
        if _code(error.orig).startswith(_ACCESS_DENIED):
            raise DatabaseUnavailable("the database refuses the user or the password, or does not exist") from error
        raise


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        # Takes the write lock now, so that the other process waits here and then finds nothing left to do.
        connection.exec_driver_sql(f"PRAGMA busy_timeout={MIGRATION_MILLISECONDS}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        _lock_migration(connection)
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {DDL_MILLISECONDS}")
    config = migrations(connection)
    newer = _unknown_revision(connection, config)
    if newer is not None:
        log.warning("the database was made by a newer version, and is left as it is", revision=newer)
        return
    try:
        command.upgrade(config, "head")
    except DBAPIError as error:
        if _code(error.orig) != _LOCKED:
            raise
        statement = " ".join((error.statement or "").split())[:100]
        raise MigrationDelayed(
            f"a migration waited {DDL_MILLISECONDS / 1000:g} s for a lock that others hold ({statement}), and gave up, "
            "because later statements wait behind it: end long transactions (pg_stat_activity), then start again"
        ) from error
    name_search.ensure_index(connection)


def _lock_migration(connection: Connection) -> None:
    """Waits until no other process migrates PostgreSQL. The lock ends with the transaction.

    Raises:
        MigrationDelayed: another migration does not end.
    """
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # overrides the role's setting
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {MIGRATION_MILLISECONDS}")
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION})")
    except DBAPIError as error:
        if _code(error.orig) != _LOCKED:
            raise
        holder = connection.execute(_MIGRATION_HOLDER).scalar()
        raise MigrationDelayed(
            f"another process has been migrating the database for more than {MIGRATION_MILLISECONDS / 1000:g} s "
            f"(pid {holder} in pg_stat_activity): let it end, or end it with pg_terminate_backend, then start again"
        ) from error


def _unknown_revision(connection: Connection, config: Config) -> str | None:
    """The revision that the database is at, if this version has none of that name."""
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    at = MigrationContext.configure(connection).get_current_revision()
    return at if at is not None and at not in known else None


def migrations(connection: Connection) -> Config:
    """The migrations, to be applied on that connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))  # it is interpolated
    config.attributes["connection"] = connection
    return config


Key = tuple[OrganisationId, SessionId]


def of_session(table: Any, key: Key) -> tuple[ColumnElement[bool], ColumnElement[bool]]:  # noqa: ANN401  # tables share no type
    """The conditions for rows of that session in `table`, which has columns `organisation_id` and `session_id`."""
    return col(table.organisation_id) == key[0], col(table.session_id) == key[1]


async def lock_session(rows: AsyncSession, key: Key) -> None:
    """Until the transaction ends."""
    await lock(rows, "/".join(key))


async def lock(rows: AsyncSession, name: str) -> None:
    """Until the transaction ends. SQLite has one writer anyway."""
    if rows.get_bind().dialect.name != "sqlite":
        await rows.exec(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
