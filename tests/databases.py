"""SQLite databases of tests: one is migrated in each process, the others are copies of it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.database.engine import migrate


@cache
def migrated_sqlite() -> bytes:
    """The content of the file of an empty database with this version's schema."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "undersign.db")
        with ThreadPoolExecutor(1) as aside:  # the caller may be inside an event loop
            aside.submit(asyncio.run, migrate(address_of(path))).result()
        return path.read_bytes()


def copy_sqlite(path: Path) -> str:
    """Writes such a file to `path` and returns its SQLAlchemy address."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(migrated_sqlite())
    return address_of(path)


def address_of(path: Path) -> str:
    """The SQLAlchemy address of a SQLite file."""
    return f"sqlite+aiosqlite:///{path}"
