"""The connection to the database: engines, transactions, locks, and the mapping of failures."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import URL, ColumnElement, Dialect, Engine, ExceptionContext, Table, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.connection_limits import ConnectionLimits
from adapters.telemetry.outages import OutageLog
from domain.ports.database import DatabaseUnavailable
from domain.shared.error_redaction import connection_problem
from domain.shared.ids import OrganisationId, SessionId

SQLITE_BUSY_MILLISECONDS = 5_000
"""Milliseconds that a writer waits for another one. API and worker share the file."""

CONNECT_SECONDS = 10
"""Seconds for connecting to PostgreSQL."""

SILENCE_SECONDS = 2.0
"""Seconds after PostgreSQL's own statement timeout, after which the server counts as unreachable."""

LOCKED = "55P03"
"""SQLSTATE of a lock that was not available in time."""

_READ_ONLY = "25006"
"""SQLSTATE of a write in a read-only transaction: the server is no longer the primary."""

_TRANSIENT = ("08", "40", "53", LOCKED, "57")
"""SQLSTATE prefixes of temporary failures: connection, deadlock, resources, locks, operator intervention."""

_ACCESS_DENIED = ("28", "3D", "42501")
"""SQLSTATE prefixes of a refused user, of a missing database, and of a missing right."""


def make_engine(address: str, limits: ConnectionLimits) -> AsyncEngine:
    """Creates an engine for a SQLAlchemy URL. Call `schema_migration.migrate` first."""
    url = make_url(address)
    engine = create_async_engine(
        url,
        pool_size=limits.connections,
        max_overflow=0,
        pool_timeout=limits.wait,
        pool_pre_ping=not is_sqlite(url),
        hide_parameters=True,  # errors are shown and logged, and must not quote values
        connect_args={} if is_sqlite(url) else _connect_arguments(url, limits),
    )
    if is_sqlite(url):
        event.listen(engine.sync_engine, "connect", _configure_sqlite)
    event.listen(engine.sync_engine, "handle_error", _handle_error)
    return engine


def _handle_error(context: ExceptionContext) -> None:
    """Removes the row that PostgreSQL quotes in an error. Drops all connections if the server is read-only."""
    cause: Any = context.original_exception.__cause__
    if getattr(cause, "detail", None):  # an error of asyncpg
        cause.detail = None
    if sqlstate(context.original_exception) == _READ_ONLY:
        context.is_disconnect = True


def sqlstate(error: object) -> str:
    """Returns the SQLSTATE of an error of PostgreSQL."""
    return str(getattr(error, "sqlstate", None))


def _connect_arguments(url: URL, limits: ConnectionLimits) -> dict[str, object]:
    """Returns the connection arguments of asyncpg: application name and timeouts."""
    settings = {"application_name": "undersign"}
    arguments: dict[str, object] = {"server_settings": settings, "timeout": CONNECT_SECONDS}
    if url.query.get("prepared_statement_cache_size") == "0":  # SQLAlchemy's cache; asyncpg has its own
        arguments["statement_cache_size"] = 0
    if limits.statement:
        milliseconds = str(limits.statement * 1000)
        settings |= {"statement_timeout": milliseconds, "idle_in_transaction_session_timeout": milliseconds}
        arguments["command_timeout"] = limits.statement + SILENCE_SECONDS
    return arguments


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _configure_sqlite(connection: object, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
    for pragma in (
        f"busy_timeout={SQLITE_BUSY_MILLISECONDS}",
        "synchronous=FULL",  # committed data survives a power failure
        "foreign_keys=ON",
        "secure_delete=ON",  # deleted content is overwritten
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
    """One transaction: committed at the end of the block, rolled back when it raises. Raises `DatabaseUnavailable`."""
    with _observed(engine):
        async with AsyncSession(engine, expire_on_commit=False) as session, session.begin():
            yield session


@asynccontextmanager
async def writing_rows(engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
    """A transaction for frequent writes.

    SQLite has one writer, and waiting writers poll with growing pauses, so that some wait for seconds under load.
    Writers of one process therefore queue here. Raises `DatabaseUnavailable`.
    """
    async with _write_lock(engine), transaction(engine) as session:
        yield session


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction as in `writing_rows`, but without ORM rows, at two thirds of the cost.

    Raises `DatabaseUnavailable`.
    """
    with _observed(engine):
        async with _write_lock(engine), engine.begin() as connection:
            yield connection


def _write_lock(engine: AsyncEngine) -> AbstractAsyncContextManager[None]:
    if engine.dialect.name != "sqlite":
        return nullcontext()
    # All pools of one process share the lock of their engine, as SQLite has one writer.
    return _write_locks.setdefault(engine.sync_engine, asyncio.Lock())


_write_locks: WeakKeyDictionary[Engine, asyncio.Lock] = WeakKeyDictionary()


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection for reads. It costs less than half of a transaction with ORM rows. Raises `DatabaseUnavailable`."""
    with _observed(engine):
        async with engine.connect() as connection:
            yield connection


async def truncate_log(engine: AsyncEngine) -> None:
    """Moves SQLite's write-ahead log into the database, so that the log holds no content that was erased.

    Without effect while another connection reads; the next call tries again.
    """
    if engine.dialect.name == "sqlite":
        async with reading(engine) as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def insert_into(table: type[SQLModel] | Table, dialect: Dialect) -> sqlite.Insert | postgresql.Insert:
    """Returns an insert that supports ON CONFLICT."""
    return sqlite.insert(table) if dialect.name == "sqlite" else postgresql.insert(table)


_outages: WeakKeyDictionary[Engine, OutageLog] = WeakKeyDictionary()


@contextmanager
def _observed(engine: AsyncEngine) -> Iterator[None]:
    """Maps failures, and logs the start and the end of an outage."""
    outage = _outages.setdefault(engine.sync_engine, OutageLog("database"))
    try:
        with map_failures():
            yield
    except DatabaseUnavailable as error:
        outage.add_failure(describe_failure(error, engine.url.render_as_string()))
        raise
    outage.add_success()


@contextmanager
def map_failures() -> Iterator[None]:
    """Maps errors of drivers that may be temporary to `DatabaseUnavailable`."""
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeout, OSError) as error:
        raise DatabaseUnavailable("the database does not answer, or cannot be written to; try again") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise DatabaseUnavailable("the connection to the database was lost; try again") from error
        if sqlstate(error.orig).startswith(_TRANSIENT):
            raise DatabaseUnavailable("the database cancelled the statement; try again") from error
        if type(error) is DatabaseError:  # SQLite's own, which no subclass covers
            raise DatabaseUnavailable("the file is no database, or is damaged; restore it from a backup") from error
        if sqlstate(error.orig).startswith(_ACCESS_DENIED):
            raise DatabaseUnavailable("the database refuses the user or the statement, or does not exist") from error
        raise


def describe_failure(error: DatabaseUnavailable, address: str | None = None) -> str:
    """Returns what the database or the system said, and of which database at `address`, without the password."""
    cause: BaseException = error
    while (inner := getattr(cause, "orig", None) or cause.__cause__) is not None:
        cause = inner
    words = connection_problem(cause)
    return words if address is None else f"{describe_database(address)}: {words}"


def describe_database(address: str) -> str:
    """Returns the file of SQLite, or server, database and user of PostgreSQL, without the password."""
    url = make_url(address)
    if is_sqlite(url):
        return str(url.database)
    where = f"{url.host or 'the local socket'}:{url.port or 5432}"
    user = f", user {url.username}" if url.username else ""
    return f"PostgreSQL at {where}, database {url.database}{user}"


_MAX_CONNECTIONS = """
    SELECT least(
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
        (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
    )"""


async def read_most_connections(engine: AsyncEngine) -> int:
    """Returns how many connections PostgreSQL admits for this user and database. Raises `DatabaseUnavailable`."""
    async with reading(engine) as connection:
        return int((await connection.exec_driver_sql(_MAX_CONNECTIONS)).scalar_one())


Key = tuple[OrganisationId, SessionId]


def of_session(table: Any, key: Key) -> tuple[ColumnElement[bool], ColumnElement[bool]]:  # noqa: ANN401  # tables share no type
    """Returns the conditions for rows of that session in `table`."""
    return col(table.organisation_id) == key[0], col(table.session_id) == key[1]


async def lock_session(connection: AsyncConnection, key: Key) -> None:
    """Locks the session until the transaction ends."""
    await lock(connection, "/".join(key))


async def lock(connection: AsyncConnection, name: str) -> None:
    """Locks `name` until the transaction ends (PostgreSQL). SQLite needs no lock: it has one writer."""
    if connection.dialect.name != "sqlite":
        await connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
