"""Checks of working backends, and of those with a single fault."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import grpc
import pytest
from pydantic import SecretStr
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import PollActivityTaskQueueRequest
from temporalio.testing import WorkflowEnvironment

from activities.interface import SESSIONS_QUEUE
from adapters.database import schema_migration
from adapters.database.engine import make_engine
from adapters.temporal.dev_server import TUNING
from application.checks import CheckFailed, CheckPassed, CheckSkipped
from cli.doctor.backend_checks import (
    check_connections,
    check_database,
    check_storage,
    check_temporal,
    check_workers,
    judge_connections,
    judge_workers,
)
from config.settings import Settings
from domain.ports.temporal import PollerStatus
from tests.adapters.later_migration import add_later_migration
from tests.adapters.postgres_server import address, postgres_server
from tests.builders import NOON, audit, created
from tests.conftest import BINARIES
from tests.databases import LIMITS, copy_sqlite
from tests.fakes.temporal_server import unwilling_server
from tests.workflows.servers import dev_server, patiently
from tests.workflows.waiting import eventually
from workflows.client.namespace_check import SILENT, TemporalTaskQueues, alive, check_namespace
from workflows.client.runs import connect_runs
from workflows.sdk.payload_keys_setting import new_payload_key

NOWHERE = "127.0.0.1:1"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(data_dir=tmp_path, temporal_address=NOWHERE)
    assert copy_sqlite(tmp_path / "undersign.db") == settings.database_address
    return settings


def at(settings: Settings, server: WorkflowEnvironment) -> Settings:
    return settings.model_copy(update={"temporal_address": server.client.service_client.config.target_host})


async def test_a_database_with_its_tables_passes(settings: Settings) -> None:
    assert (await check_database(settings)).message == "It answers, and its tables are of this version."


@pytest.mark.postgresql
@pytest.mark.parametrize(("limit", "admitted"), [("", 43), ("CONNECTION LIMIT 31", 31)])
async def test_connections_are_those_that_postgresql_admits(limit: str, admitted: int) -> None:
    with postgres_server("-c max_connections=50 -c superuser_reserved_connections=7") as socket:
        engine = make_engine(address(socket), LIMITS)
        async with engine.begin() as connection:
            await connection.exec_driver_sql(f"CREATE ROLE tenant LOGIN {limit}")
        await engine.dispose()
        passed = await check_connections(Settings(database_url=address(socket, user="tenant")))

    assert passed.message.startswith(f"PostgreSQL admits {admitted} connections, and each process takes up to 15:")


@pytest.mark.postgresql
async def test_what_keeps_the_user_of_postgresql_from_its_tables_is_named() -> None:
    with postgres_server() as socket:
        await _run(
            socket,
            "CREATE ROLE tenant LOGIN",
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
            "CREATE DATABASE closed",
            "ALTER DATABASE closed SET default_transaction_read_only = on",
            "CREATE DATABASE used",
        )
        for database, user, words in (
            ("latin", "undersign", "encoding is LATIN1"),
            ("closed", "undersign", "only be read"),
            ("used", "tenant", "may not create tables"),
        ):
            with pytest.raises(CheckFailed, match=words):
                await check_database(Settings(database_url=address(socket, database, user)))
        await _run(socket, "GRANT CREATE ON SCHEMA public TO tenant", database="used")
        with pytest.raises(CheckFailed, match="lacks the extensions"):
            await check_database(Settings(database_url=address(socket, "used", "tenant")))
        await schema_migration.migrate(address(socket, "used"))
        with pytest.raises(CheckFailed, match="user tenant: permission denied for table alembic_version"):
            await check_database(Settings(database_url=address(socket, "used", "tenant")))
        await _run(socket, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO tenant", database="used")
        with pytest.raises(CheckFailed, match="may not read and write its table"):
            await check_database(Settings(database_url=address(socket, "used", "tenant")))
        assert (await check_database(Settings(database_url=address(socket, "used")))).note is None


async def _run(socket: str, *statements: str, database: str = "postgres") -> None:
    engine = make_engine(address(socket, database), LIMITS).execution_options(isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    await engine.dispose()


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "undersign.db").write_text("text " * 1000)
    with pytest.raises(CheckFailed, match=r"undersign\.db: file is not a database"):
        await check_database(Settings(data_dir=tmp_path))


async def test_sqlite_has_no_limit_of_connections(settings: Settings) -> None:
    assert (await check_connections(settings)).note is None


async def test_connections_to_a_database_that_does_not_answer_are_skipped(settings: Settings) -> None:
    with pytest.raises(CheckSkipped):
        await check_connections(settings.model_copy(update={"database_url": address("/nowhere")}))


def test_connections_for_two_processes_are_few_and_for_fewer_fail() -> None:
    assert judge_connections(97, 15).note is None
    assert judge_connections(45, 15).note
    with pytest.raises(CheckFailed, match="admits 97 connections, and each process takes up to 500: 0 processes"):
        judge_connections(97, 500)


async def test_tables_of_an_older_version_fail(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_later_migration(tmp_path / "migrations")
    monkeypatch.setattr(schema_migration, "MIGRATIONS", tmp_path / "migrations")

    with pytest.raises(CheckFailed, match="older version"):
        await check_database(settings)


async def test_tables_of_a_newer_version_pass_with_a_note(settings: Settings) -> None:
    with closing(sqlite3.connect(settings.data_dir / "undersign.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in ((await check_database(settings)).note or "")


async def test_a_database_that_does_not_answer_fails(tmp_path: Path) -> None:
    away = Settings(data_dir=tmp_path, database_url="postgresql+asyncpg://ada:secret@127.0.0.1:1/undersign")

    with pytest.raises(CheckFailed, match=r"127.0.0.1:1, database undersign, user ada: Connection refused") as failure:
        await check_database(away)
    assert "secret" not in f"{failure.value} {failure.value.advice}"


async def test_a_store_that_works_passes_and_is_empty_afterwards(settings: Settings) -> None:
    (settings.data_dir / "objects").mkdir()
    await check_storage(settings)
    assert [path for path in (settings.data_dir / "objects").rglob("*") if path.is_file()] == []


async def test_a_store_that_cannot_be_written_fails(settings: Settings) -> None:
    (settings.data_dir / "objects").write_text("in the way")
    with pytest.raises(CheckFailed, match="could not be stored"):
        await check_storage(settings)


async def test_without_temporal_its_check_fails_and_that_of_workers_is_skipped(settings: Settings) -> None:
    with pytest.raises(CheckFailed, match="does not answer"):
        await check_temporal(settings)
    with pytest.raises(CheckSkipped):
        await check_workers(settings)


@pytest.mark.parametrize("greets", [True, False], ids=["at a call", "at connecting"])
async def test_a_refusal_of_temporal_is_named(settings: Settings, *, greets: bool) -> None:
    async with unwilling_server(grpc.StatusCode.UNAUTHENTICATED, greets=greets) as address:
        with pytest.raises(CheckFailed, match=r"refused the call \(UNAUTHENTICATED\)"):
            await check_temporal(settings.model_copy(update={"temporal_address": address}))


@pytest.mark.temporal
async def test_queues_without_workers_are_named_until_a_worker_polls(settings: Settings) -> None:
    async with dev_server() as server:
        settings, queues = at(settings, server), TemporalTaskQueues(server.client)

        assert "default" in (await check_temporal(settings)).message
        queues_named = "sessions, documents, batches, callbacks, callbacks-failing"
        with pytest.raises(CheckFailed, match=f"No worker polls {queues_named}"):
            await check_workers(settings)
        with pytest.raises(CheckFailed, match="has no namespace elsewhere"):
            await check_temporal(settings.model_copy(update={"temporal_namespace": "elsewhere"}))

        poll = PollActivityTaskQueueRequest(
            namespace="default", task_queue=TaskQueue(name=SESSIONS_QUEUE), identity="ada"
        )
        polling = asyncio.create_task(server.client.workflow_service.poll_activity_task_queue(poll))
        status = await eventually(lambda: queues.poller_status(SESSIONS_QUEUE), lambda found: found.workers > 0)
        polling.cancel()

    assert status.workers == 1
    assert status.last is not None
    assert abs(datetime.now(UTC) - status.last) < timedelta(minutes=1)


def test_a_running_worker_passes_and_a_silent_one_is_noted() -> None:
    alive = {"sessions": PollerStatus(2, NOON - timedelta(seconds=70)), "documents": PollerStatus(1, NOON)}
    killed = {**alive, "documents": PollerStatus(1, NOON - timedelta(seconds=140))}

    assert judge_workers(alive, NOON) == CheckPassed("sessions: 2, documents: 1")
    assert (judge_workers(killed, NOON).note or "").startswith("No worker has polled documents")


def test_workers_that_have_been_silent_while_another_one_polled_are_not_counted() -> None:
    def poller(identity: str, at: datetime) -> PollerInfo:
        info = PollerInfo(identity=identity)
        info.last_access_time.FromDatetime(at)
        return info

    lives, waits = poller("lives", NOON), poller("waits", NOON - SILENT)
    dead = poller("dead", NOON - SILENT - timedelta(seconds=1))

    assert alive([dead, lives, waits]) == [lives, waits]
    assert alive([dead]) == [dead]
    assert alive([]) == []


@pytest.mark.temporal
async def test_missing_search_attributes_fail_after_the_first_start_and_are_noted_before(
    settings: Settings, tmp_path: Path
) -> None:
    binary = str(BINARIES / "temporal")
    async with await patiently(partial(WorkflowEnvironment.start_local, dev_server_existing_path=binary)) as server:
        with pytest.raises(
            CheckFailed, match="lacks the search attributes OrganisationId, SessionStatus, SessionWaits"
        ):
            await check_temporal(at(settings, server))
        new = at(Settings(data_dir=tmp_path / "none"), server)
        results = [await check(new) for check in (check_temporal, check_workers, check_database, check_storage)]

    assert [result.note is not None for result in results] == [True] * 4
    assert "lacks the search attributes" in results[0].message
    assert "No worker polls sessions" in results[1].message
    assert not (tmp_path / "none").exists()


async def test_before_the_first_start_no_temporal_is_only_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", NOWHERE)
    assert "undersign dev starts one" in ((await check_temporal(Settings(data_dir=tmp_path / "none"))).note or "")


@pytest.mark.temporal
async def test_a_session_under_another_payload_key_fails(settings: Settings) -> None:
    async with dev_server(*TUNING) as server:
        settings = at(settings, server)
        written, other = (settings.model_copy(update={"payload_keys": SecretStr(new_payload_key())}) for _ in "ab")
        runs = await connect_runs(written.temporal)
        await runs.start(created().session.send(audit()).session)
        await eventually(lambda: check_namespace(other.temporal), lambda found: found.unreadable is not None)

        with pytest.raises(CheckFailed, match="which this process does not have"):
            await check_temporal(other)
        assert "It answers" in (await check_temporal(written)).message
