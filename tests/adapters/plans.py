"""How a database goes about what it is asked: its own words, for every question that was put to it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

_EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN"}


class Plan(NamedTuple):
    """One question and how it was answered, a step a line."""

    statement: str
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.steps)


@dataclass
class Asked:
    """The questions that were put, with their values."""

    engine: AsyncEngine
    statements: list[tuple[str, Any]] = field(default_factory=list)

    async def plans(self) -> Sequence[Plan]:
        explain = _EXPLAIN[self.engine.dialect.name]
        found = []
        async with self.engine.connect() as connection:
            for statement, values in self.statements:
                rows = (await connection.exec_driver_sql(f"{explain} {statement}", values)).all()
                found.append(Plan(statement, tuple(str(row[-1]) for row in rows)))
        return found


@contextmanager
def asked(engine: AsyncEngine) -> Iterator[Asked]:
    """What is read and changed in `engine` within the context."""
    seen = Asked(engine)

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, _many: bool) -> None:
        if statement.startswith(("SELECT", "UPDATE")):
            seen.statements.append((statement, values))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)
