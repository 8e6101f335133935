from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, migrate
from tests.adapters.postgres_server import address, postgres_server

_numbers = count(1)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An SQLite database of the test's own, brought up to date."""
    own = f"sqlite+aiosqlite:///{tmp_path / 'data' / 'undersign.db'}"
    await migrate(own)
    engine = make_engine(own)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server for all tests: the folder of its socket."""
    with postgres_server() as folder:
        yield folder


@pytest.fixture
async def fresh_postgres(postgres: str) -> str:
    """The address of an empty PostgreSQL database of the test's own."""
    name = f"test_{next(_numbers)}"
    server = make_engine(address(postgres))
    async with server.connect() as connection:
        await (await connection.execution_options(isolation_level="AUTOCOMMIT")).exec_driver_sql(
            f"CREATE DATABASE {name}"
        )
    await server.dispose()
    return address(postgres, name)


@pytest.fixture
async def postgres_engine(fresh_postgres: str) -> AsyncIterator[AsyncEngine]:
    """A PostgreSQL database of the test's own, brought up to date."""
    await migrate(fresh_postgres)
    engine = make_engine(fresh_postgres)
    yield engine
    await engine.dispose()
