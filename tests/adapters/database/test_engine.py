"""Connections, and the errors of a database that fails."""

import asyncio
import os
import signal
import traceback
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from adapters.database import engine as engine_module
from adapters.database.engine import make_engine, reading, transaction, writing
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import migrate
from adapters.database.tables.organisations import UserRow
from adapters.database.tables.sessions import SessionRow
from adapters.telemetry import outages
from domain.ports.database import DatabaseUnavailable, Organisation
from domain.session.session import Transition
from domain.shared.ids import OrganisationId
from tests.adapters.postgres_server import address
from tests.builders import NOON, ORGANISATION, created
from tests.databases import LIMITS

ACME = Organisation(OrganisationId(ORGANISATION), "Acme")


async def test_an_error_contains_no_values(database: AsyncEngine) -> None:
    await DatabaseOrganisations(database).add(ACME)

    async def add(user_id: str) -> None:
        row = UserRow(user_id=user_id, organisation_id=ORGANISATION, email="ada@example.com", name="Ada Lovelace")
        async with transaction(database) as rows:
            rows.add(row)

    await add("one")
    with pytest.raises(IntegrityError) as caught:
        await add("two")

    shown = "".join(traceback.format_exception(caught.value))
    assert [word for word in ("INSERT INTO users", "ada@example.com", "Lovelace") if word in shown] == [
        "INSERT INTO users"
    ]


async def test_a_read_only_server_is_unavailable(postgres: str, postgres_engine: AsyncEngine) -> None:
    organisations = DatabaseOrganisations(postgres_engine)
    only_reads = f"ALTER DATABASE {postgres_engine.url.database} {{}} default_transaction_read_only"
    server = make_engine(address(postgres), LIMITS)

    async with server.begin() as connection:
        await connection.exec_driver_sql(only_reads.format("SET") + " = on")
    with pytest.raises(DatabaseUnavailable):
        await organisations.add(ACME)
    async with server.begin() as connection:
        await connection.exec_driver_sql(only_reads.format("RESET"))
    await organisations.add(ACME)

    assert await organisations.list() == (ACME,)
    await server.dispose()


async def test_times_come_back_to_the_millisecond_in_utc(engine: AsyncEngine) -> None:
    step = created()
    at = NOON.replace(microsecond=123_000).astimezone(timezone(timedelta(hours=5)))
    session = step.session.model_copy(update={"updated_at": at, "revision": 1})
    await DatabaseSessionRows(engine).record(session, step.events)
    async with transaction(engine) as rows:
        row = await rows.get(SessionRow, (ORGANISATION, session.session_id))
    assert row is not None
    assert row.updated_at.isoformat(timespec="milliseconds") == "2026-06-12T12:00:00.123+00:00"


@pytest.mark.parametrize("is_folder", [True, False])
async def test_a_file_that_cannot_be_opened_or_created_is_unavailable(tmp_path: Path, is_folder: bool) -> None:
    path = tmp_path / "data" / "undersign.db"
    if is_folder:
        path.mkdir(parents=True)
    else:
        path.parent.write_text("a file where the folder should be")
    engine = make_engine(f"sqlite+aiosqlite:///{path}", LIMITS)
    with pytest.raises(DatabaseUnavailable):
        await DatabaseSessionRows(engine).find(ORGANISATION, created().session.session_id)
    await engine.dispose()
    with pytest.raises(DatabaseUnavailable):
        await migrate(str(engine.url))


async def test_an_outage_is_logged_once_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "QUIET_SECONDS", 0)
    path = tmp_path / "undersign.db"
    path.mkdir()
    engine = make_engine(f"sqlite+aiosqlite:///{path}", LIMITS)

    with capture_logs() as logs:
        for use in (reading, writing):
            with pytest.raises(DatabaseUnavailable):
                async with use(engine) as connection:
                    await connection.execute(text("SELECT 1"))
        path.rmdir()
        async with reading(engine) as connection:
            await connection.execute(text("SELECT 1"))
    await engine.dispose()

    assert [line["event"] for line in logs] == ["a dependency fails", "a dependency responds again"]
    assert logs[0]["reason"] == f"{path}: unable to open database file"


async def test_writers_of_one_process_queue_for_sqlite(engine: AsyncEngine) -> None:
    rows = DatabaseSessionRows(engine)
    steps = [created(name=f"Agreement {number}") for number in range(30)]
    done: list[str] = []

    async def write(step: Transition) -> None:
        await rows.record(step.session, step.events)
        done.append(step.session.name)

    await asyncio.gather(*map(write, steps))

    assert done == [step.session.name for step in steps]


@pytest.mark.parametrize(("user", "name"), [("undersign", "nowhere"), ("nobody", "postgres")])
async def test_a_refused_user_or_a_missing_database_is_unavailable(postgres: str, user: str, name: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="refuses the user or the statement, or does not exist"):
        await migrate(address(postgres, name, user))


async def test_a_long_statement_is_cancelled(fresh_postgres: str) -> None:
    engine = make_engine(fresh_postgres, replace(LIMITS, statement=1))
    with pytest.raises(DatabaseUnavailable):
        async with reading(engine) as connection:
            await connection.exec_driver_sql("SELECT pg_sleep(5)")
    await engine.dispose()


async def test_the_number_of_connections_is_limited(fresh_postgres: str) -> None:
    engine = make_engine(fresh_postgres, replace(LIMITS, connections=1, wait=1))
    async with reading(engine):
        with pytest.raises(DatabaseUnavailable):
            async with reading(engine):
                pass
    await engine.dispose()


async def test_a_silent_server_is_unavailable(fresh_postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "SILENCE_SECONDS", 0.1)
    engine = make_engine(fresh_postgres, replace(LIMITS, statement=1))
    async with reading(engine) as connection:
        process = (await connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar_one()
    os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(DatabaseUnavailable):
            async with reading(engine) as connection:
                await connection.exec_driver_sql("SELECT 1")
    finally:
        os.kill(process, signal.SIGCONT)
    await engine.dispose()
