"""The rules of migrations: docs/workflow-changes.md, Changing the database schema."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.operations import AbstractOperations, ops
from alembic.operations.ops import MigrateOperation
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.engine import make_engine
from adapters.database.schema_migration import UNLIMITED, migrations
from tests.adapters.later_migration import REVISION

BASELINE = "0001"
"""The schema of the first release. Only later migrations run beside a previous version."""

ALLOWED: dict[str, str] = {}
"""Revisions that may break a rule, each with its reason: what is unused since which release."""

RAW = re.compile(
    r"\b(DROP\s+(TABLE|COLUMN)|RENAME|SET\s+NOT\s+NULL|CREATE\s+(UNIQUE\s+)?INDEX\s+(?!IF\s+NOT))", re.IGNORECASE
)


def fault(operation: MigrateOperation, new_tables: set[str]) -> str | None:
    """Why the previous version does not work beside that operation, whose migration created `new_tables`."""
    if getattr(operation, "table_name", None) in new_tables:
        return None
    why = None
    match operation:
        case ops.DropColumnOp() | ops.DropTableOp() | ops.RenameTableOp() | ops.AlterColumnOp(modify_name=str()):
            why = "drops or renames (rule 3)"
        case ops.AlterColumnOp(modify_nullable=False, modify_server_default=False | None):
            why = "refuses null without a default (rule 1)"
        case ops.AddColumnOp(column=column) if not column.nullable and column.server_default is None:
            why = "adds a column that the previous version does not fill (rule 1)"
        case ops.CreateIndexOp(if_not_exists=None | False):
            why = "creates an index that the operator cannot create before: if_not_exists (rule 4)"
        case ops.ExecuteSQLOp(sqltext=statement) if RAW.search(str(statement)):
            why = "executes SQL that is refused (rules 1, 3 and 4)"
    return why


@contextmanager
def watched(done: list[MigrateOperation]) -> Iterator[None]:
    """Adds every operation that a migration does to `done`."""
    original = AbstractOperations.invoke

    def invoke(self: AbstractOperations, operation: MigrateOperation) -> Any:
        done.append(operation)
        return original(self, operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AbstractOperations, "invoke", invoke)
        yield


def faults(connection: Connection) -> list[str]:
    """Of every migration after the baseline, applied one by one to PostgreSQL."""
    config = migrations(connection)
    command.upgrade(config, BASELINE)
    later = [script.revision for script in ScriptDirectory.from_config(config).iterate_revisions("head", BASELINE)]
    found = []
    for revision in reversed(later):
        done: list[MigrateOperation] = []
        with watched(done):
            command.upgrade(config, revision)
        new_tables = {operation.table_name for operation in done if isinstance(operation, ops.CreateTableOp)}
        reasons = [why for operation in done if (why := fault(operation, new_tables))]
        assert bool(reasons) or revision not in ALLOWED, f"{revision} needs no exception any more"
        found += [f"{revision}: {why}" for why in reasons if revision not in ALLOWED]
    return found


@pytest.fixture
async def connection(fresh_postgres: str) -> AsyncIterator[AsyncConnection]:
    """A connection to an empty database, in a transaction."""
    engine = make_engine(fresh_postgres, UNLIMITED)
    async with engine.begin() as connection:
        yield connection
    await engine.dispose()


async def test_the_previous_version_works_beside_every_migration(connection: AsyncConnection) -> None:
    assert await connection.run_sync(faults) == []


@pytest.mark.usefixtures("revision_before")
async def test_a_migration_that_breaks_a_rule_is_named(connection: AsyncConnection) -> None:
    (fault,) = await connection.run_sync(faults)
    assert fault.startswith(REVISION)
    assert "rule 4" in fault


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        (ops.DropColumnOp("sessions", "name"), "rule 3"),
        (ops.DropTableOp("sessions"), "rule 3"),
        (ops.RenameTableOp("sessions", "contracts"), "rule 3"),
        (ops.AlterColumnOp("sessions", "name", modify_name="title"), "rule 3"),
        (ops.AlterColumnOp("sessions", "completed_at", modify_nullable=False), "rule 1"),
        (ops.AddColumnOp("sessions", sa.Column("note", sa.Text(), nullable=False)), "rule 1"),
        (ops.CreateIndexOp("sessions_by_note", "sessions", ["note"]), "rule 4"),
        (ops.ExecuteSQLOp("ALTER TABLE sessions DROP COLUMN name"), "rules"),
        (ops.ExecuteSQLOp("CREATE INDEX sessions_by_note ON sessions (note)"), "rules"),
        (ops.AddColumnOp("sessions", sa.Column("note", sa.Text())), None),
        (ops.AddColumnOp("sessions", sa.Column("note", sa.Text(), nullable=False, server_default="")), None),
        (ops.AlterColumnOp("sessions", "name", modify_nullable=False, modify_server_default=""), None),
        (ops.CreateIndexOp("sessions_by_note", "sessions", ["note"], if_not_exists=True), None),
        (ops.CreateIndexOp("notes_by_age", "notes", ["since"]), None),
        (ops.ExecuteSQLOp("CREATE INDEX IF NOT EXISTS sessions_by_note ON sessions (note)"), None),
    ],
)
def test_only_additions_are_allowed(operation: MigrateOperation, rule: str | None) -> None:
    error = fault(operation, {"notes"})
    assert error is None if rule is None else rule in (error or "")


async def test_every_operation_of_a_migration_is_checked(connection: AsyncConnection, revision_before: str) -> None:
    done: list[MigrateOperation] = []

    def upgrade(connection: Connection) -> None:
        command.upgrade(migrations(connection), revision_before)
        with watched(done):
            command.upgrade(migrations(connection), "head")

    await connection.run_sync(upgrade)
    kinds = {type(operation) for operation in done}
    assert kinds >= {ops.CreateTableOp, ops.AlterColumnOp, ops.DropColumnOp, ops.CreateIndexOp, ops.ExecuteSQLOp}
