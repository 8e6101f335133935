"""The connection to the database, its schema, and the mapping of its failures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.port import DatabaseUnavailable

SQLITE_BUSY_MILLISECONDS = 5_000
"""How long a writer waits for another one: API and worker share the file."""


def make_engine(address: str) -> AsyncEngine:
    """An engine for a SQLAlchemy address. SQLite files are made with their folder, and written ahead of (WAL)."""
    url = make_url(address)
    engine = create_async_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")
    if url.get_backend_name() == "sqlite":
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        event.listen(engine.sync_engine, "connect", _configure_sqlite)
    return engine


def _configure_sqlite(connection: object, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
    for pragma in (
        f"busy_timeout={SQLITE_BUSY_MILLISECONDS}",
        "journal_mode=WAL",
        "synchronous=FULL",  # what was answered survives a power failure
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
    try:
        async with AsyncSession(engine, expire_on_commit=False) as session, session.begin():
            yield session
    except (OperationalError, InterfaceError, PoolTimeout, OSError) as error:
        raise DatabaseUnavailable("the database does not answer") from error
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        raise DatabaseUnavailable("the connection to the database was lost") from error


async def migrate(address: str) -> None:
    """Brings the schema up to date. Of two processes that start at once, one migrates and the other waits."""
    engine = make_engine(address)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade)
            await connection.commit()
    finally:
        with anyio.CancelScope(shield=True):
            await engine.dispose()


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        # Takes the write lock now, so that the other process waits here and then finds nothing left to do.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7236473)")
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
