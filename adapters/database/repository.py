"""The base of repositories, and the mapping of records (`domain.ports`) to rows and back: fields are copied by name.

Each repository limits its own queries to an organisation; `of_session` in `adapters.database.engine` has the conditions
for one session.
"""

from functools import cache
from typing import Any, TypeVar, cast

from sqlalchemy import Executable, Row, Select, bindparam, inspect, select
from sqlalchemy import Table as CoreTable
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import SQLModel

from adapters.database.engine import reading, writing
from adapters.database.stored_records import STORED

Record = TypeVar("Record")
Table = TypeVar("Table", bound=SQLModel)


class Repository:
    """Reads and writes rows of the database behind `engine`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def _find_row(self, table: type[SQLModel], *key: str) -> Row[Any] | None:
        """Returns the row of `table` with that primary key; its columns are attributes."""
        async with reading(self._engine) as connection:
            return await find_row(connection, table, *key)

    async def _get(self, kind: type[Record], table: type[SQLModel], *key: str) -> Record | None:
        row = await self._find_row(table, *key)
        return to_record(kind, row) if row else None

    async def _list(self, kind: type[Record], query: Executable) -> tuple[Record, ...]:
        async with reading(self._engine) as connection:
            return tuple(to_record(kind, row) for row in await connection.execute(query))

    async def _write(self, *statements: Executable) -> int:
        """Executes the statements in one transaction. Returns the number of rows that the last one changed."""
        async with writing(self._engine) as connection:
            counts = [(await connection.execute(statement)).rowcount for statement in statements]
        return counts[-1]


async def find_row(connection: AsyncConnection, table: type[SQLModel], *key: str) -> Row[Any] | None:
    """Returns the row of `table` with that primary key; its columns are attributes."""
    parameters = zip(table_of(table).primary_key.columns.keys(), key, strict=True)
    found: Row[Any] | None = (await connection.execute(_row_by_key(table), dict(parameters))).first()
    return found


@cache
def _row_by_key(table: type[SQLModel]) -> Select[Any]:
    """Returns the query for a row by its primary key. Cached, because building it takes as long as running it."""
    columns = table_of(table)
    return select(columns).where(*(column == bindparam(column.name) for column in columns.primary_key))


def table_of(kind: type[SQLModel]) -> CoreTable:
    return cast(CoreTable, inspect(kind).local_table)


def row_values(table: type[SQLModel], record: object, **others: object) -> dict[str, Any]:
    """Returns the values of a row: the fields of `record` that are columns, and `others`. Tuples become lists."""
    named = {name: getattr(record, name) for name in table.model_fields if hasattr(record, name)}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in {**named, **others}.items()}


def to_row(table: type[Table], record: object, **others: object) -> Table:
    """Returns the row of `table` that holds `record`; see `row_values`."""
    return table(**row_values(table, record, **others))


def to_record(kind: type[Record], row: object, **others: object) -> Record:
    """Returns a `kind` whose fields are the columns of the same names, and `others`. Lists become tuples."""
    found = {name: getattr(row, name) for name in STORED[kind] - others.keys()}
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}, **others)
