"""The base of repositories, and the mapping of records (`ports`) to rows and back: fields are copied by their names."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel

from adapters.database.engine import transaction, writing

Record = TypeVar("Record")
Table = TypeVar("Table", bound=SQLModel)


class Repository:
    """Reads and writes rows of the database behind `engine`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def _get(self, kind: type[Record], table: type[SQLModel], key: object) -> Record | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(table, key)
        return to_record(kind, row) if row else None

    async def _list(self, kind: type[Record], query: Any) -> tuple[Record, ...]:  # noqa: ANN401  # of any table
        async with transaction(self._engine) as rows:
            return tuple(to_record(kind, row) for row in await rows.exec(query))

    async def _write(self, *statements: Executable) -> int:
        """Executes the statements in one transaction. Returns the number of rows that the last one changed."""
        async with writing(self._engine) as rows:
            counts = [(await rows.exec(statement)).rowcount for statement in statements]  # type: ignore[call-overload]  # any statement
        return int(counts[-1])


def row_values(table: type[SQLModel], record: object, **others: object) -> dict[str, Any]:
    """Returns the values of a row: the fields of `record` that are columns, and `others`. Tuples become lists."""
    named = {name: getattr(record, name) for name in table.model_fields if hasattr(record, name)}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in {**named, **others}.items()}


def to_row(table: type[Table], record: object, **others: object) -> Table:
    """Returns the row of `table` that holds `record`; see `row_values`."""
    return table(**row_values(table, record, **others))


def to_record(kind: type[Record], row: object, **others: object) -> Record:
    """Returns a `kind` made of the columns with the names of its fields, and `others`. Lists become tuples."""
    found = {name: getattr(row, name) for name in _field_names(kind) if name not in others and hasattr(row, name)}
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}, **others)


def _field_names(kind: type) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    models: Mapping[str, object] = getattr(kind, "model_fields", {})
    return tuple(models) or tuple(getattr(kind, "_fields", ()))
