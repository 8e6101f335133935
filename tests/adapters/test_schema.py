"""How a database's schema stands to this version."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, migrate
from adapters.database.schema import SchemaState, read_schema


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    engine = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'undersign.db'}")
    yield engine
    await engine.dispose()


async def test_a_database_without_tables_has_none(engine: AsyncEngine) -> None:
    assert await read_schema(engine) is SchemaState.MISSING


async def test_one_that_was_migrated_is_current(engine: AsyncEngine) -> None:
    await migrate(str(engine.url))

    assert await read_schema(engine) is SchemaState.CURRENT


@pytest.mark.parametrize(("revision", "state"), [("0001", SchemaState.OLDER), ("9999", SchemaState.NEWER)])
async def test_another_revision_is_an_older_or_a_newer_one(
    engine: AsyncEngine, revision: str, state: SchemaState
) -> None:
    await migrate(str(engine.url))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :found"), {"found": revision})

    assert await read_schema(engine) is state
