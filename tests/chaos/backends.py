"""The backends of an installation under chaos: those of one machine, or those of operators."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from tests.backends import OperatorBackends, start_backends

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


Backends = EmbeddedBackends | OperatorBackends


@contextmanager
def open_backends(kind: str, folder: Path) -> Iterator[Backends]:
    """Opens the backends of that kind (`embedded` or `engines`) for an installation in `folder`."""
    if kind == "embedded":
        yield EmbeddedBackends(folder / "data")
        return
    (folder / "engines").mkdir(parents=True)
    with start_backends(folder / "engines", folder / "mails") as engines:
        yield engines
