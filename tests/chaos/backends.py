"""The backends of an installation under chaos: those of one machine, or those of operators."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from adapters.database.engine import make_engine
from tests.adapters.postgres_server import restart
from tests.backends import OperatorBackends, start_backends
from tests.databases import LIMITS

Pause = Callable[[], object]


class EmbeddedBackends:
    """SQLite, a folder of objects and an outbox below `data`. `settings` are for processes; mails are in `outbox`."""

    settings: Mapping[str, str] = MappingProxyType({})

    def __init__(self, data: Path) -> None:
        self.outbox = data / "outbox"
        self.database = f"sqlite+aiosqlite:///{data / 'undersign.db'}"
        self._data = data

    def signed(self, prefix: str) -> list[str]:
        """Returns the SHA-256 of each signed PDF below `prefix`, sorted."""
        found = (self._data / "objects" / prefix).rglob("signed*.pdf")
        return sorted(sha256(path.read_bytes()).hexdigest() for path in found)

    def has_objects(self, prefix: str) -> bool:
        return (self._data / "objects" / prefix).exists()

    def lock(self, pause: Pause) -> None:
        """Locks the database while `pause` lasts."""
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self._data / "undersign.db")) as rows:
            rows.execute("BEGIN EXCLUSIVE")
            pause()

    def restart_database(self) -> None:
        """Ends the database as a power failure would, and starts it again, if it is a server."""

    def changed_mails(self) -> Sequence[str]:
        """Returns the Message-IDs that came again with other bytes."""
        return ()


class OperatedBackends:
    """PostgreSQL, a storage server, a mail server; payloads are encrypted."""

    def __init__(self, backends: OperatorBackends) -> None:
        self.settings = backends.settings
        self.outbox = backends.outbox
        self.database = backends.database
        self._backends = backends

    def signed(self, prefix: str) -> list[str]:
        blobs = self._backends.bucket.list_blobs(prefix=prefix)
        found = [blob for blob in blobs if blob.name.rpartition("/")[2].startswith("signed")]
        return sorted(sha256(blob.download_as_bytes()).hexdigest() for blob in found if blob.name.endswith(".pdf"))

    def has_objects(self, prefix: str) -> bool:
        return any(True for _ in self._backends.bucket.list_blobs(prefix=prefix))

    def lock(self, pause: Pause) -> None:
        with suppress(SQLAlchemyError, OSError):
            asyncio.run(self._lock(pause))

    async def _lock(self, pause: Pause) -> None:
        engine = make_engine(self.database, LIMITS)
        async with engine.begin() as rows:
            await rows.execute(text("LOCK TABLE sessions, events IN ACCESS EXCLUSIVE MODE"))
            pause()
        await engine.dispose()

    def restart_database(self) -> None:
        restart(self._backends.database_folder)

    def changed_mails(self) -> Sequence[str]:
        return self._backends.mails.changed


Backends = EmbeddedBackends | OperatedBackends


@contextmanager
def open_backends(kind: str, folder: Path) -> Iterator[Backends]:
    """Opens the backends of that kind (`embedded` or `engines`) for an installation in `folder`."""
    if kind == "embedded":
        yield EmbeddedBackends(folder / "data")
        return
    (folder / "engines").mkdir(parents=True)
    with start_backends(folder / "engines", folder / "mails") as engines:
        yield OperatedBackends(engines)
