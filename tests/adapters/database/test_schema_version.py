"""How a database's schema stands to this version."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.schema import SchemaState, migrate, read_schema
from tests.databases import LIMITS


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    engine = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}", LIMITS)
    yield engine
    await engine.dispose()


async def test_a_database_without_tables_has_none(engine: AsyncEngine) -> None:
    assert await read_schema(engine) is SchemaState.MISSING


async def test_one_that_was_migrated_is_current(engine: AsyncEngine) -> None:
    await migrate(str(engine.url))

    assert await read_schema(engine) is SchemaState.CURRENT


@pytest.mark.parametrize(("migrated", "state"), [(False, SchemaState.OLDER), (True, SchemaState.CURRENT)])
async def test_one_from_before_a_migration_is_older_until_it_is_migrated(
    engine: AsyncEngine, revision_before: str, migrated: bool, state: SchemaState
) -> None:
    await migrate(str(engine.url))
    if not migrated:
        await _put(engine, revision_before)

    assert await read_schema(engine) is state


async def test_one_with_a_revision_that_is_not_known_is_newer(engine: AsyncEngine) -> None:
    await migrate(str(engine.url))
    await _put(engine, "9999")

    assert await read_schema(engine) is SchemaState.NEWER


async def _put(engine: AsyncEngine, revision: str) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :put"), {"put": revision})
