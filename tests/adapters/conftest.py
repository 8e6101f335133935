import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database import schema_migration
from adapters.database.engine import make_engine
from adapters.database.schema_migration import migrate
from tests.adapters.later_migration import add_later_migration
from tests.adapters.postgres_server import address, postgres_server
from tests.databases import LIMITS, copy_sqlite

ENGINES = {"sqlite": "engine", "postgresql": "postgres_engine"}
KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
_numbers = count(1)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An SQLite database of the test's own, up to date."""
    engine = make_engine(copy_sqlite(tmp_path / "data" / "undersign.db"), LIMITS)
    yield engine
    await engine.dispose()


@pytest.fixture
def revision_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The newest revision of ours, before a migration that is added for the test."""
    folder = tmp_path / "migrations"
    before = add_later_migration(folder)
    monkeypatch.setattr(schema_migration, "MIGRATIONS", folder)
    return before


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server for all tests: the folder of its socket."""
    with postgres_server() as folder:
        yield folder


@pytest.fixture
async def fresh_postgres(postgres: str) -> str:
    """The address of an empty PostgreSQL database of the test's own."""
    name = f"test_{next(_numbers)}"
    await _create(postgres, name)
    return address(postgres, name)


@pytest.fixture(scope="session")
def migrated_postgres(postgres: str) -> str:
    """The name of a database that is up to date and used by nobody, for others to be copied from."""

    async def make() -> None:
        await _create(postgres, "migrated")
        await migrate(address(postgres, "migrated"))

    asyncio.run(make())
    return "migrated"


@pytest.fixture
async def postgres_engine(postgres: str, migrated_postgres: str) -> AsyncIterator[AsyncEngine]:
    """A PostgreSQL database of the test's own, up to date."""
    name = f"test_{next(_numbers)}"
    await _create(postgres, f"{name} TEMPLATE {migrated_postgres}")
    engine = make_engine(address(postgres, name), LIMITS)
    yield engine
    await engine.dispose()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> AsyncEngine:
    """A database of the test's own, of each kind in turn."""
    return cast(AsyncEngine, request.getfixturevalue(ENGINES[request.param]))


async def _create(folder: str, database: str) -> None:
    server = make_engine(address(folder), LIMITS)
    async with server.connect() as connection:
        await (await connection.execution_options(isolation_level="AUTOCOMMIT")).exec_driver_sql(
            f"CREATE DATABASE {database}"
        )
    await server.dispose()
