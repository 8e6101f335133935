"""`/healthz` and `/readyz` (Specification 4.22), and the checks behind them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from adapters.all_keys import ensure_all, files_of, read_all
from adapters.database.schema_migration import SchemaState
from adapters.mail.file_mailer import FileMailer
from api.health.readiness import Schema, backend_checks, installation_check, server_checks, worker_checks
from application.checks import Check, CheckFailed, Readiness
from domain.installation import Difference, Fact
from domain.ports.temporal import PollerStatus
from domain.shared.errors import Unavailable
from domain.shared.version import VERSION
from tests.api.repositories import Repositories
from tests.api.service import Service
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.sessions import FakeSessions


class FakeQueues:
    """Queues of which some have workers; without any, Temporal does not answer."""

    def __init__(self, *failing: str, **workers: int) -> None:
        self._failing = failing
        self._workers = workers

    async def poller_status(self, queue: str) -> PollerStatus:
        if not self._workers:
            raise Unavailable
        return PollerStatus(self._workers.get(queue, 0))

    async def failing_runs(self, limit: int) -> list[str]:
        if not self._workers:
            raise Unavailable
        return [*self._failing[:limit]]


class SlowObjectStore(MemoryObjectStore):
    """An object store that responds once `responds` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.calls, self.responds = 0, asyncio.Event()

    async def find(self, name: str) -> None:
        self.calls += 1
        await self.responds.wait()


async def advice(checks: Iterable[Check]) -> dict[str, str]:
    return {result.name: result.advice or "" for result in await Readiness(list(checks)).results()}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path / "keys"


def schema_is(state: SchemaState) -> Schema:
    return AsyncMock(return_value=state)


def backends(
    keys: Path, state: SchemaState = SchemaState.CURRENT, objects: MemoryObjectStore | None = None
) -> Iterable[Check]:
    sessions = FakeSessions(Repositories().rows)
    read_keys = partial(read_all, keys, has_local_seal=True)
    return backend_checks(
        schema_is(state),
        objects or MemoryObjectStore(),
        sessions,
        read_keys,
    )


async def test_a_process_with_facts_of_another_installation_is_not_ready() -> None:
    differs = Difference(Fact.OBJECT_STORE, "object-store", "gs://documents", "folder")
    checks = [installation_check(AsyncMock(return_value=[differs]))]

    assert await advice(checks) == {"installation": str(differs)}


async def test_backends_that_respond_are_ready(keys: Path) -> None:
    assert await advice(backends(keys)) == {
        "database": "",
        "storage": "",
        "temporal": "",
        "keys": "",
    }


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (SchemaState.OLDER, "Its tables are older"),
        (SchemaState.MISSING, "It has no tables"),
        (SchemaState.NEWER, ""),
    ],
)
async def test_a_database_is_ready_unless_it_must_be_migrated(keys: Path, state: SchemaState, words: str) -> None:
    found = (await advice(backends(keys, state)))["database"]
    assert (bool(found), found.startswith(words)) == (bool(words), True)


@pytest.mark.parametrize("name", [str(path) for path in files_of(Path(), has_local_seal=True)])
async def test_an_empty_or_missing_key_file_is_not_ready(keys: Path, name: str) -> None:
    (keys / name).write_bytes(b"")
    assert "from a backup" in (await advice(backends(keys)))["keys"]
    (keys / name).unlink()
    assert "from a backup" in (await advice(backends(keys)))["keys"]


async def test_a_queue_without_workers_is_not_ready() -> None:
    found = await advice(worker_checks(FakeQueues(sessions=2, documents=1, callbacks=1, batches=1)))

    assert [name for name, words in found.items() if words] == ["workers/callbacks-failing"]
    assert found["workers/callbacks-failing"].startswith("No worker polls this queue")
    assert set((await advice(worker_checks(FakeQueues()))).values()) == {
        "Temporal does not say who polls this queue; see temporal.",
        "Temporal does not say; see temporal.",
    }


async def test_runs_that_the_workers_cannot_continue_are_named() -> None:
    found = await advice(worker_checks(FakeQueues("session/1", "session/2", sessions=1)))

    assert found["runs"].startswith("The workers cannot continue session/1, session/2. Start the version")


async def test_an_outbox_must_be_writable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    blocked = FileMailer(tmp_path / "file" / "outbox", "a@b.example")

    assert await advice(server_checks(FileMailer(tmp_path / "outbox", "a@b.example"))) == {"mail": ""}
    assert "mails wait" in (await advice(server_checks(blocked)))["mail"]


async def test_a_timestamp_authority_is_reached_without_a_request(tmp_path: Path) -> None:
    closed = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.read() == b""
        writer.close()
        closed.set()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    url = f"http://ada:secret@127.0.0.1:{server.sockets[0].getsockname()[1]}/tsa"
    mailer = FileMailer(tmp_path, "a@b.example")

    async with server:
        up = await advice(server_checks(mailer, url))
        await closed.wait()
    down = await advice(server_checks(mailer, url))

    assert up["timestamps"] == ""
    assert "secret" not in (down["timestamps"] or "secret")


async def test_a_storage_that_does_not_respond_is_called_once_until_it_does(keys: Path) -> None:
    objects = SlowObjectStore()
    [check] = [check for check in backends(keys, objects=objects) if check.name == "storage"]

    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await check.run()
    assert objects.calls == 1

    objects.responds.set()
    await check.run()
    await check.run()
    assert objects.calls == 2


async def passes() -> None:
    """The dependency responds."""


async def is_away() -> None:
    raise ConnectionError("no route to 10.1.2.3")


async def is_old() -> None:
    raise CheckFailed("It is old.", "Bring its tables up to date.")


def check(name: str, run: Callable[[], Awaitable[None]] = passes, *, needed: bool = True, cached: float = 0) -> Check:
    return Check(name, run, f"Start the {name}.", needed, cached)


async def test_a_process_is_alive_without_its_dependencies(service: Service) -> None:
    service.app.state.services = service.services(sessions=None, rows=None, objects=None)
    answer = await service.http(None).get("/healthz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "alive", "version": VERSION, "forwardedFor": "absent"},
    )


async def ready(service: Service, *checks: Check) -> Any:
    service.app.state.services = service.services(readiness=Readiness(checks))
    return await service.http(None).get("/readyz")


async def test_a_service_whose_dependencies_respond_is_ready(service: Service) -> None:
    answer = await ready(service, check("database"), check("mail", needed=False))

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "dependencies": [
            {"name": "database", "ready": True, "needed": True, "advice": None},
            {"name": "mail", "ready": True, "needed": False, "advice": None},
        ],
    }


async def test_a_service_without_a_needed_dependency_is_not_ready(service: Service) -> None:
    answer = await ready(service, check("database", is_away), check("tables", is_old), check("storage"))

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert [(row["name"], row["ready"], row["advice"]) for row in answer.json()["dependencies"]] == [
        ("database", False, "Start the database."),
        ("tables", False, "Bring its tables up to date."),
        ("storage", True, None),
    ]
    assert "10.1.2.3" not in answer.text


async def test_a_service_without_another_dependency_is_ready(service: Service) -> None:
    answer = await ready(service, check("database"), check("mail", is_away, needed=False))
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["dependencies"][1]["advice"] == "Start the mail."


async def test_results_are_cached_for_their_time() -> None:
    calls = 0

    async def fails_once() -> None:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0)
        if calls == 1:
            raise ConnectionError

    cached, fresh = (Readiness([check("database", fails_once, cached=seconds)]) for seconds in (60, 0))
    results = await asyncio.gather(*(cached.results() for _ in range(20)))

    assert (calls, {result.is_ready for (result,) in results}) == (1, {False})
    assert [result.is_ready for result in await fresh.results()] == [True]
    calls = 0
    assert [result.is_ready for _ in range(2) for result in await fresh.results()] == [False, True]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
async def test_readiness_is_not_found_through_a_proxy(service: Service, header: str) -> None:
    async with service.http() as http:
        direct = await http.get("/readyz")
        through = await http.get("/readyz", headers={header: "for=203.0.113.7"})
        health = await http.get("/healthz", headers={header: "for=203.0.113.7"})

    assert "dependencies" in direct.json()
    assert (through.status_code, through.json()["error"]) == (404, "NOT_FOUND")
    assert health.status_code == 200


@pytest.mark.parametrize(
    ("problem", "told"), [(None, ""), ("Connection refused", "each process counts requests alone")]
)
async def test_a_redis_that_does_not_respond_is_named(tmp_path: Path, problem: str | None, told: str) -> None:
    async def find_problem() -> str | None:
        return problem

    mailer = FileMailer(tmp_path / "outbox", "a@b.example")
    rows = await advice(server_checks(mailer, None, find_problem))
    assert told in rows["rate-limits"]
