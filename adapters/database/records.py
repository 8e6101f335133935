"""Copies the fields of records (`ports`) to rows and back, by their names."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from sqlmodel import SQLModel

Record = TypeVar("Record")
Table = TypeVar("Table", bound=SQLModel)


def row_values(table: type[SQLModel], record: object, **others: object) -> dict[str, Any]:
    """The values of a row of `table`: `others`, and the fields of `record` that are columns. Tuples become lists."""
    named = {name: getattr(record, name) for name in table.model_fields if hasattr(record, name)}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in {**named, **others}.items()}


def to_row(table: type[Table], record: object, **others: object) -> Table:
    """The row of `table` that holds `record`; see `row_values`."""
    return table(**row_values(table, record, **others))


def to_record(kind: type[Record], row: object, **others: object) -> Record:
    """The dataclass, pydantic model or named tuple `kind`, made of `others` and of the columns with its fields' names.

    Lists become tuples.
    """
    found = {name: getattr(row, name) for name in _field_names(kind) if name not in others and hasattr(row, name)}
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}, **others)


def _field_names(kind: type) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    models: Mapping[str, object] = getattr(kind, "model_fields", {})
    return tuple(models) or tuple(getattr(kind, "_fields", ()))
