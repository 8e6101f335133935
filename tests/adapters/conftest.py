from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, migrate


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An SQLite database of the test's own, brought up to date."""
    address = f"sqlite+aiosqlite:///{tmp_path / 'data' / 'undersign.db'}"
    await migrate(address)
    engine = make_engine(address)
    yield engine
    await engine.dispose()
