"""Erased content is in no file of SQLite, also not in its write-ahead log."""

from pathlib import Path

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import open_database
from tests.builders import NOON, created
from tests.databases import LIMITS

MARKER = "Zaphod Marker"


def files_with_marker(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if MARKER.encode() in path.read_bytes()]


async def test_nothing_of_an_erased_session_stays_in_the_files(tmp_path: Path) -> None:
    async with open_database(f"sqlite+aiosqlite:///{tmp_path}/undersign.db", LIMITS) as engine:
        rows, step = DatabaseSessionRows(engine), created(name=MARKER)
        await rows.record(step.session, step.events)
        assert files_with_marker(tmp_path) != []

        await rows.erase(step.session.organisation_id, step.session.session_id, NOON)

        assert files_with_marker(tmp_path) == []
