"""`/healthz` and `/readyz` (Specification 4.22), and the checks behind them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.database.schema_version import SchemaState
from adapters.keys.key_folder import ensure_all, files_of, read_all
from adapters.mail.file_mailer import FileMailer
from api.health import readiness as probes
from application.checks import Check, CheckFailed, Readiness
from domain.shared.errors import Unavailable
from domain.shared.version import VERSION
from ports.temporal import PollerStatus
from tests.api.repositories import Repositories
from tests.api.service import Service
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


async def advice(checks: Iterable[Check]) -> dict[str, str | None]:
    return {row.name: row.advice for row in await Readiness(list(checks)).results()}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path / "keys"


def engines(keys: Path, state: SchemaState = SchemaState.CURRENT) -> Iterable[Check]:
    async def schema() -> SchemaState:
        return state

    sessions = FakeSessions(Repositories().rows)
    return probes.backend_checks(schema, MemoryObjectStore(), sessions, partial(read_all, keys, has_local_seal=True))


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
    rows = await advice(probes.worker_checks(FakeQueues(sessions=2, documents=1, callbacks=1)))

    assert [name for name, words in rows.items() if words] == ["workers/callbacks-failing"]
    assert (rows["workers/callbacks-failing"] or "").startswith("No worker polls this queue")


async def test_without_temporal_nobody_knows_of_workers() -> None:
    assert set((await advice(probes.worker_checks(FakeQueues()))).values()) == {
        "Temporal does not say who polls this queue; see temporal."
    }


async def test_an_outbox_that_can_be_written_is_ready_and_no_authority_is_no_row(tmp_path: Path) -> None:
    assert await advice(probes.server_checks(FileMailer(tmp_path / "outbox", "a@b.example"), None)) == {"mail": None}


async def test_an_outbox_that_cannot_be_made_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    rows = await advice(probes.server_checks(FileMailer(tmp_path / "file" / "outbox", "a@b.example"), None))

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
        up = await advice(probes.server_checks(mailer, f"http://ada:secret@127.0.0.1:{port}/tsa"))
        await heard.wait()
    down = await advice(probes.server_checks(mailer, f"http://ada:secret@127.0.0.1:{port}/tsa"))

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
    asked = probes.backend_checks(schema, objects, sessions, partial(read_all, keys, has_local_seal=True))
    [row] = [row for row in asked if row.name == "storage"]

    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await row.run()
    assert objects.asked == 1

    objects.answers.set()
    await row.run()
    await row.run()
    assert objects.asked == 2


Probe = Callable[[], Awaitable[object]]


async def answers() -> None:
    """Everything is well."""


async def is_away() -> None:
    raise ConnectionError("no route to 10.1.2.3")


def depends(name: str, probe: Probe = answers, *, needed: bool = True, remembered: float = 0.0) -> Check:
    return Check(name, probe, f"Start the {name}.", needed, remembered)


async def test_a_process_that_lives_says_so_whatever_is_down(service: Service) -> None:
    service.app.state.services = service.services(sessions=None, rows=None, objects=None)

    answer = await service.http(None).get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "alive", "version": VERSION})


async def ready(service: Service, *dependencies: Check) -> Any:
    service.app.state.services = service.services(readiness=Readiness(dependencies))
    return await service.http(None).get("/readyz")


async def test_a_service_whose_dependencies_answer_is_ready(service: Service) -> None:
    answer = await ready(service, depends("database"), depends("mail", needed=False))

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "dependencies": [
            {"name": "database", "ready": True, "needed": True, "advice": None},
            {"name": "mail", "ready": True, "needed": False, "advice": None},
        ],
    }


async def test_what_is_needed_and_away_is_named_with_what_to_do(service: Service) -> None:
    answer = await ready(service, depends("database", is_away), depends("storage"))

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert [(row["name"], row["ready"], row["advice"]) for row in answer.json()["dependencies"]] == [
        ("database", False, "Start the database."),
        ("storage", True, None),
    ]
    assert "10.1.2.3" not in answer.text


async def test_without_what_heals_by_itself_the_service_is_ready_and_says_so(service: Service) -> None:
    answer = await ready(service, depends("database"), depends("mail", is_away, needed=False))

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["dependencies"][1]["advice"] == "Start the mail."


async def test_a_probe_may_know_better_what_to_do(service: Service) -> None:
    async def is_old() -> None:
        raise CheckFailed("It is old.", "Bring its tables up to date.")

    answer = await ready(service, depends("database", is_old))

    assert answer.json()["dependencies"][0]["advice"] == "Bring its tables up to date."


async def test_a_dependency_is_asked_once_in_its_time_however_many_ask() -> None:
    asked = 0

    async def count() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)

    readiness = Readiness([depends("database", count, remembered=60)])

    await asyncio.gather(*(readiness.results() for _ in range(20)))

    assert asked == 1


async def test_an_answer_that_is_old_is_asked_for_again() -> None:
    probes = iter((is_away, answers))

    async def heals() -> None:
        await next(probes)()

    readiness = Readiness([depends("database", heals)])

    assert [row.is_ready for _ in range(2) for row in await readiness.results()] == [False, True]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
async def test_through_a_proxy_readiness_is_not_there(service: Service, header: str) -> None:
    async with service.http() as http:
        direct = await http.get("/readyz")
        through = await http.get("/readyz", headers={header: "for=203.0.113.7"})
        health = await http.get("/healthz", headers={header: "for=203.0.113.7"})

    assert "dependencies" in direct.json()
    assert (through.status_code, through.json()["error"]) == (404, "NOT_FOUND")
    assert health.status_code == 200
