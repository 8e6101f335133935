"""SQLite databases of tests: one is migrated in each process, the others are copies of it, in files or in memory."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from weakref import finalize

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import SQLModel, delete, select

from adapters.database.connection_limits import ConnectionLimits
from adapters.database.engine import make_engine, transaction
from adapters.database.schema_migration import migrate
from domain.shared.object_names import digest

Row = TypeVar("Row", bound=SQLModel)

LIMITS = ConnectionLimits(connections=15, wait=30, statement=30)


@cache
def migrated_sqlite() -> bytes:
    """Returns the content of the file of an empty database with this version's schema."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "undersign.db")
        with ThreadPoolExecutor(1) as aside:  # the caller may be inside an event loop
            aside.submit(asyncio.run, migrate(address_of(path))).result()
        return path.read_bytes()


def copy_sqlite(path: Path) -> str:
    """Writes such a file to `path` and returns its SQLAlchemy address."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(migrated_sqlite())
    return address_of(path)


def address_of(path: Path) -> str:
    """Returns the SQLAlchemy address of a SQLite file."""
    return f"sqlite+aiosqlite:///{path}"


class MemoryDatabase:
    """An empty SQLite database in memory with this version's schema, and an engine that leads to it.

    Once its engine is no longer referred to, the database is emptied and used again: statements stay compiled.
    """

    def __init__(self) -> None:
        place = _free.pop() if _free else _Place()
        self._content = place.content
        self.engine = AsyncEngine(place.engine.sync_engine)
        finalize(self.engine, _give_back, place).atexit = False
        self.load(_empty())

    def load(self, content: sqlite3.Connection) -> None:
        """Replaces all that is there."""
        content.backup(self._content)

    def save(self) -> sqlite3.Connection:
        """Returns a copy of all that is there."""
        saved = sqlite3.connect(":memory:", check_same_thread=False)
        self._content.backup(saved)
        return saved

    def digest(self) -> str:
        """Returns the SHA-256 of all that is there, without what SQLite counts in the header: changes, and schemas."""
        content = bytearray(self._content.serialize())
        for counter in (24, 40, 92):
            content[counter : counter + 4] = bytes(4)
        return digest(bytes(content))

    async def read(self, table: type[Row]) -> list[Row]:
        """Returns all rows of a table."""
        async with transaction(self.engine) as session:
            return list((await session.exec(select(table))).all())

    async def add(self, *rows: SQLModel) -> None:
        """Adds rows of any tables."""
        async with transaction(self.engine) as session:
            session.add_all(rows)

    async def edit(self, table: type[Row], change: Callable[[Row], object]) -> None:
        """Has `change` done to each row of a table."""
        async with transaction(self.engine) as session:
            for row in (await session.exec(select(table))).all():
                change(row)
                session.add(row)

    async def clear(self, *tables: type[SQLModel]) -> None:
        """Deletes all rows of the tables."""
        async with transaction(self.engine) as session:
            for table in tables:
                await session.exec(delete(table))


_numbers = count(1)


class _Place:
    """A database in memory. Its one connection works in the thread of its callers, in three quarters of the time."""

    def __init__(self) -> None:
        address = f"file:/undersign-{next(_numbers)}?vfs=memdb"
        self.content = sqlite3.connect(address, uri=True, check_same_thread=False)  # held open, it keeps the content
        one = replace(LIMITS, connections=1)
        self.engine = make_engine(f"sqlite+aiosqlite:///{address}&uri=true&check_same_thread=false", one)
        event.listen(self.engine.sync_engine, "connect", _work_here)


def _work_here(connection: Any, _: ConnectionPoolEntry) -> None:  # the driver's, by way of SQLAlchemy
    async def execute(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    connection.driver_connection._execute = execute


_free: list[_Place] = []
_busy: list[_Place] = []


def _give_back(place: _Place) -> None:
    """Has the place be used again, unless its connection stays in use."""
    in_use = place.engine.pool.checkedout()  # type: ignore[attr-defined]  # of the pool that engines have
    (_busy if in_use else _free).append(place)


@cache
def _empty() -> sqlite3.Connection:
    with TemporaryDirectory() as folder:
        copy_sqlite(Path(folder, "undersign.db"))
        file = sqlite3.connect(Path(folder, "undersign.db"))
        file.execute("PRAGMA journal_mode=DELETE")  # there is no write-ahead log in memory
        content = sqlite3.connect(":memory:", check_same_thread=False)
        file.backup(content)
        file.close()
    return content
