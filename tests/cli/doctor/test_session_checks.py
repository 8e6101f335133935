"""Inconsistent rows, runs and objects are found in a sample of sessions."""

import shutil
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from adapters.database.engine import make_engine
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.object_store.factory import open_object_store
from adapters.temporal.dev_server import TUNING
from application.checks import CheckFailed, CheckSkipped, CheckState
from application.session_actions import SessionActions
from application.sessions import repair
from cli.doctor.command import all_checks, run_checks
from cli.doctor.session_checks import check_sessions
from config.settings import Settings
from domain.ports.database import Organisation
from domain.session.session import Session
from tests.builders import ORGANISATION, audit, created, file
from tests.databases import LIMITS, copy_sqlite
from tests.workflows.servers import dev_server
from tests.workflows.waiting import eventually
from workflows.client.runs import connect_runs

DATABASE = "undersign.db"


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    with patch.multiple(repair, SETTLED_AFTER=timedelta(), LOOK_AGAIN=0):
        yield


@pytest.fixture
async def settings(tmp_path: Path) -> AsyncIterator[Settings]:
    """The settings of an installation without workers."""
    copy_sqlite(tmp_path / DATABASE)
    async with dev_server(*TUNING) as server:
        address = server.client.service_client.config.target_host
        yield Settings(data_dir=tmp_path, temporal_address=address)


async def sent(settings: Settings) -> Session:
    """Returns a session with a run that Temporal lists."""
    engine = make_engine(settings.database_address, LIMITS)
    objects = open_object_store(None, settings.data_dir / "objects", bytes(32), settings.base_url)
    rows, runs = DatabaseSessionRows(engine), await connect_runs(settings.temporal)
    try:
        await DatabaseOrganisations(engine).add(Organisation(ORGANISATION, "Northwind Trading"))
        rendered = await objects.put(file().rendered.name, b"pages", "application/pdf")
        step = created(files=(file().model_copy(update={"rendered": rendered}),))
        session = await SessionActions(runs, rows).create(step, audit())
        await rows.mark_started(session)
    finally:
        await engine.dispose()

    async def listed() -> list[str]:
        return [session_id async for session_id in runs.list_sessions()]

    await eventually(listed, lambda found: session.session_id in found)
    return session


@pytest.mark.temporal
async def test_sessions_that_agree_pass(settings: Settings) -> None:
    await sent(settings)
    assert (await check_sessions(settings)).message.startswith("Rows, runs and objects of 1 sessions")


@pytest.mark.temporal
async def test_an_object_that_is_missing_or_another_one_fails(settings: Settings) -> None:
    session = await sent(settings)
    [stored] = [path for path in (settings.data_dir / "objects").rglob("*") if path.is_file()]

    stored.write_bytes(b"other pages")
    with pytest.raises(CheckFailed, match=session.files[0].rendered.name):
        await check_sessions(settings)

    shutil.rmtree(settings.data_dir / "objects")
    with pytest.raises(CheckFailed, match=session.files[0].rendered.name) as failure:
        await check_sessions(settings)
    assert "object store" in (failure.value.advice or "")
    assert not (settings.data_dir / "objects").exists()


@pytest.mark.temporal
async def test_a_run_that_was_stopped_fails(settings: Settings) -> None:
    session = await sent(settings)
    await (await connect_runs(settings.temporal)).stop(session.session_id, "the test ends it")

    [result] = await run_checks([check for check in all_checks(settings) if check.name == "sessions"])

    assert result.state is CheckState.FAILED
    assert f"session/{session.session_id}: Its run was stopped" in result.message
    assert "undersign repair" in (result.advice or "")


@pytest.mark.temporal
async def test_sessions_that_workers_found_stopped_fail(settings: Settings) -> None:
    session = await sent(settings)
    engine = make_engine(settings.database_address, LIMITS)
    await DatabaseSessionRows(engine).mark_stopped(session, session.updated_at)
    await engine.dispose()

    with pytest.raises(CheckFailed, match=r"^1 have lost their run\.$"):
        await check_sessions(settings)


@pytest.mark.temporal
async def test_a_database_that_was_set_back_fails(settings: Settings, tmp_path: Path) -> None:
    session = await sent(settings)
    copy_sqlite(tmp_path / "before" / DATABASE)

    with pytest.raises(CheckFailed, match=f"session/{session.session_id}: The database has no row of it"):
        await check_sessions(settings.model_copy(update={"data_dir": tmp_path / "before"}))


async def test_without_tables_or_temporal_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(CheckSkipped, match="no tables yet"):
        await check_sessions(Settings(data_dir=tmp_path / "none"))
    copy_sqlite(tmp_path / DATABASE)
    with pytest.raises(CheckSkipped, match="Temporal"):
        await check_sessions(Settings(data_dir=tmp_path, temporal_address="127.0.0.1:1"))
    assert not (tmp_path / "none").exists()
