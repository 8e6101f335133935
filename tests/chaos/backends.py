"""The engines that an installation under chaos works on: those of one machine, or those of operators."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from adapters.database.engine import make_engine
from tests.adapters.postgres_server import restart
from tests.backends import OperatorBackends, start_backends
from tests.databases import LIMITS

Pause = Callable[[], object]


class Backends(Protocol):
    """OperatorBackends beside Temporal. `settings` are what processes are told of them; mails arrive in `outbox`."""

    settings: Mapping[str, str]
    outbox: Path
    database: str

    def signed(self, prefix: str) -> list[str]:
        """Returns the SHA-256 of each signed PDF below `prefix`, sorted."""
        ...

    def has_objects(self, prefix: str) -> bool: ...

    def lock(self, pause: Pause) -> None:
        """Holds the database while `pause` lasts, as a backup that was made badly does."""
        ...

    def restart_database(self) -> bool:
        """Ends the database as a power failure would and starts it again; False where it is a file."""
        ...

    def faults(self) -> Iterator[str]:
        """What went wrong at the engines themselves, a line each."""
        ...


class EmbeddedBackends:
    """SQLite, a folder of objects, an outbox: all in `data`."""

    def __init__(self, data: Path) -> None:
        self.settings: Mapping[str, str] = {}
        self.outbox = data / "outbox"
        self.database = f"sqlite+aiosqlite:///{data / 'undersign.db'}"
        self._data = data

    def signed(self, prefix: str) -> list[str]:
        found = (self._data / "objects" / prefix).rglob("signed*.pdf")
        return sorted(sha256(path.read_bytes()).hexdigest() for path in found)

    def has_objects(self, prefix: str) -> bool:
        return (self._data / "objects" / prefix).exists()

    def lock(self, pause: Pause) -> None:
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self._data / "undersign.db")) as rows:
            rows.execute("BEGIN EXCLUSIVE")
            pause()

    def restart_database(self) -> bool:
        return False

    def faults(self) -> Iterator[str]:
        yield from ()


class OperatedBackends:
    """PostgreSQL, a storage server, a mail server; payloads are encrypted."""

    def __init__(self, engines: OperatorBackends) -> None:
        self.settings = engines.settings
        self.outbox = engines.outbox
        self.database = engines.database
        self._engines = engines

    def signed(self, prefix: str) -> list[str]:
        blobs = self._engines.bucket.list_blobs(prefix=prefix)
        found = [blob for blob in blobs if blob.name.rpartition("/")[2].startswith("signed")]
        return sorted(sha256(blob.download_as_bytes()).hexdigest() for blob in found if blob.name.endswith(".pdf"))

    def has_objects(self, prefix: str) -> bool:
        return any(True for _ in self._engines.bucket.list_blobs(prefix=prefix))

    def lock(self, pause: Pause) -> None:
        with suppress(SQLAlchemyError, OSError):
            asyncio.run(self._lock(pause))

    async def _lock(self, pause: Pause) -> None:
        engine = make_engine(self.database, LIMITS)
        async with engine.begin() as rows:
            await rows.execute(text("LOCK TABLE sessions, events IN ACCESS EXCLUSIVE MODE"))
            pause()
        await engine.dispose()

    def restart_database(self) -> bool:
        restart(self._engines.database_folder)
        return True

    def faults(self) -> Iterator[str]:
        yield from (f"the mail {message_id} came again with other bytes" for message_id in self._engines.mails.changed)


async def duplicate_names(backends: Backends) -> list[tuple[str, int]]:
    """Returns names of sessions that are there more than once, and how often."""
    engine = make_engine(backends.database, LIMITS)
    async with engine.connect() as rows:
        found = await rows.execute(text("SELECT name, count(*) FROM sessions GROUP BY name HAVING count(*) > 1"))
        twice = [(str(name), int(count)) for name, count in found]
    await engine.dispose()
    return twice


@contextmanager
def open_backends(kind: str, folder: Path) -> Iterator[Backends]:
    """The engines of that kind (`embedded` or `engines`) for an installation in `folder`."""
    if kind == "embedded":
        yield EmbeddedBackends(folder / "data")
        return
    (folder / "engines").mkdir(parents=True)
    with start_backends(folder / "engines", folder / "mails") as engines:
        yield OperatedBackends(engines)
