"""What the API asks its dependencies, and what it makes of their answers."""

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

from adapters.database.schema import SchemaState
from adapters.keys.key_folder import ensure_all, files_of, read_all
from adapters.mail.file_mailer import FileMailer
from api.health import readiness_probes
from application.readiness import Dependency, Readiness
from domain.shared.errors import Unavailable
from ports.temporal import PollerStatus
from tests.api.repositories import Repositories
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.sessions import FakeSessions


class FakeQueues:
    """Queues of which some have workers."""

    def __init__(self, **workers: int) -> None:
        self._workers = workers

    async def poller_status(self, queue: str) -> PollerStatus:
        if not self._workers:
            raise Unavailable
        return PollerStatus(self._workers.get(queue, 0))


async def advice(dependencies: Iterable[Dependency]) -> dict[str, str | None]:
    return {row.name: row.advice for row in await Readiness(list(dependencies)).rows()}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path / "keys"


def engines(keys: Path, state: SchemaState = SchemaState.CURRENT) -> Iterable[Dependency]:
    async def schema() -> SchemaState:
        return state

    sessions = FakeSessions(Repositories().rows)
    return readiness_probes.engines(schema, MemoryObjectStore(), sessions, partial(read_all, keys, has_local_seal=True))


async def test_engines_that_answer_are_ready(keys: Path) -> None:
    assert await advice(engines(keys)) == {"database": None, "storage": None, "temporal": None, "keys": None}


@pytest.mark.parametrize(
    ("state", "words"), [(SchemaState.OLDER, "Its tables are older"), (SchemaState.MISSING, "It has no tables")]
)
async def test_a_database_that_must_be_migrated_is_not_ready(keys: Path, state: SchemaState, words: str) -> None:
    assert ((await advice(engines(keys, state)))["database"] or "").startswith(words)


async def test_tables_of_a_newer_version_are_no_hindrance(keys: Path) -> None:
    assert (await advice(engines(keys, SchemaState.NEWER)))["database"] is None


FILES = [str(path) for path in files_of(Path(), has_local_seal=True)]


@pytest.mark.parametrize("name", FILES)
async def test_a_key_file_that_is_gone_is_not_ready(keys: Path, name: str) -> None:
    (keys / name).unlink()

    assert "from a backup" in ((await advice(engines(keys)))["keys"] or "")


@pytest.mark.parametrize("name", FILES)
async def test_a_key_file_that_holds_nothing_is_not_ready(keys: Path, name: str) -> None:
    (keys / name).write_bytes(b"")

    assert "from a backup" in ((await advice(engines(keys)))["keys"] or "")


async def test_a_queue_without_workers_says_so() -> None:
    rows = await advice(readiness_probes.workers(FakeQueues(sessions=2, documents=1, callbacks=1)))

    assert [name for name, words in rows.items() if words] == ["workers/callbacks-failing"]
    assert (rows["workers/callbacks-failing"] or "").startswith("No worker polls this queue")


async def test_without_temporal_nobody_knows_of_workers() -> None:
    assert set((await advice(readiness_probes.workers(FakeQueues()))).values()) == {
        "Temporal does not say who polls this queue; see temporal."
    }


async def test_an_outbox_that_can_be_written_is_ready_and_no_authority_is_no_row(tmp_path: Path) -> None:
    assert await advice(readiness_probes.servers(FileMailer(tmp_path / "outbox", "a@b.example"), None)) == {
        "mail": None
    }


async def test_an_outbox_that_cannot_be_made_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    rows = await advice(readiness_probes.servers(FileMailer(tmp_path / "file" / "outbox", "a@b.example"), None))

    assert "mails wait" in (rows["mail"] or "")


async def test_a_timestamp_authority_is_reached_without_asking_it_for_anything(tmp_path: Path) -> None:
    heard = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.read() == b""
        writer.close()
        heard.set()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    mailer = FileMailer(tmp_path, "a@b.example")

    async with server:
        up = await advice(readiness_probes.servers(mailer, f"http://ada:secret@127.0.0.1:{port}/tsa"))
        await heard.wait()
    down = await advice(readiness_probes.servers(mailer, f"http://ada:secret@127.0.0.1:{port}/tsa"))

    assert up["timestamps"] is None
    assert "secret" not in (down["timestamps"] or "secret")


async def test_a_storage_that_does_not_answer_is_asked_once_until_it_does(keys: Path) -> None:
    class Silent(MemoryObjectStore):
        def __init__(self) -> None:
            super().__init__()
            self.asked, self.answers = 0, asyncio.Event()

        async def find(self, name: str) -> None:
            self.asked += 1
            await self.answers.wait()

    async def schema() -> SchemaState:
        return SchemaState.CURRENT

    objects = Silent()
    sessions = FakeSessions(Repositories().rows)
    asked = readiness_probes.engines(schema, objects, sessions, partial(read_all, keys, has_local_seal=True))
    [row] = [row for row in asked if row.name == "storage"]

    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await row.probe()
    assert objects.asked == 1

    objects.answers.set()
    await row.probe()
    await row.probe()
    assert objects.asked == 2
