"""How the schema of a database stands to this version of the service."""

from datetime import datetime
from enum import Enum, auto

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import migrations, reading


class SchemaState(Enum):
    """A newer one is that of a later version, with which this one works too (docs/engines.md)."""

    CURRENT = auto()
    OLDER = auto()
    NEWER = auto()
    MISSING = auto()


async def read_schema(engine: AsyncEngine) -> SchemaState:
    """Returns the state of the schema. Changes nothing.

    Raises:
        DatabaseUnavailable: the database cannot be reached.
    """
    async with reading(engine) as connection:
        return await connection.run_sync(_state)


async def is_newer(engine: AsyncEngine) -> bool:
    """Whether a newer version has migrated the schema. Raises the same as `read_schema`."""
    return await read_schema(engine) is SchemaState.NEWER


async def read_clock(engine: AsyncEngine) -> datetime | None:
    """The clock of the database server; None for SQLite, which has none of its own.

    Raises:
        DatabaseUnavailable: the database cannot be reached.
    """
    if engine.dialect.name == "sqlite":
        return None
    async with reading(engine) as connection:
        told: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
        return told


def _state(connection: Connection) -> SchemaState:
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        return SchemaState.MISSING
    ours = ScriptDirectory.from_config(migrations(connection))
    if found == ours.get_current_head():
        return SchemaState.CURRENT
    is_known = found in {revision.revision for revision in ours.walk_revisions()}
    return SchemaState.OLDER if is_known else SchemaState.NEWER
