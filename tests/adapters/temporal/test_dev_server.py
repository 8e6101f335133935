"""The embedded Temporal server, started for real."""

import asyncio
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from temporalio.client import Client

from activities.interface import SESSIONS_QUEUE
from adapters.temporal.dev_server import SEARCH_ATTRIBUTES, DevServer, find_binary
from tests.fakes.effects import FakeEffects
from tests.tcp_ports import free_ports
from tests.workflows.stage import set_stage
from workflows.client.namespace_check import ensure_search_attributes
from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.session import ui_details


async def soon(question: Callable[[], Awaitable[bool]]) -> None:
    """Asks until the answer is yes; fails after two minutes."""
    for _ in range(2400):
        try:
            if await question():
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to that")


@pytest.mark.temporal
async def test_a_server_knows_its_workers_and_writes_its_file(tmp_path: Path) -> None:
    server = DevServer(tmp_path / "temporal.db", *free_ports(2))
    with subprocess.Popen(server.command(find_binary()), stdout=subprocess.DEVNULL) as process:
        async with httpx.AsyncClient(trust_env=False) as http:
            await soon(lambda: server.answers(http))
            assert not await server.has_worker(http, SESSIONS_QUEUE)
            client: Client = await connect(TemporalConfig(server.address))
            await ensure_search_attributes(client)  # there already: nothing to do
            async with set_stage(client) as stage:
                assert isinstance(stage.effects, FakeEffects)
                await soon(lambda: server.has_worker(http, SESSIONS_QUEUE))
        process.terminate()
        assert process.wait(60) == 0
    with closing(sqlite3.connect(server.database)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_it_registers_the_search_attributes_that_workflows_set() -> None:
    assert {key.name for key in ui_details.SEARCH_ATTRIBUTES} == set(SEARCH_ATTRIBUTES)


def test_its_ports_and_file_are_on_the_command_line(tmp_path: Path) -> None:
    command = DevServer(tmp_path / "temporal.db", 7001, 7002).command(Path("temporal"))
    assert " ".join(command).startswith("temporal server start-dev --ip 127.0.0.1 --port 7001 --ui-port 7002")
    assert str(tmp_path / "temporal.db") in command
