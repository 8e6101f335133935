"""A Temporal server that cannot be used is reported with its address and advice."""

import asyncio
import re

import grpc
import pytest
from structlog.testing import capture_logs
from temporalio.testing import WorkflowEnvironment

from domain.shared.errors import ConfigError
from tests.fakes.temporal_server import unwilling_server
from tests.tcp_ports import free_port
from worker import connect_worker
from workflows.client.namespace_check import TemporalUnusable, check_namespace, connect_watch, ensure_search_attributes
from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig


def without_reason(message: str) -> str:
    """The message without the words of the gRPC library, which differ from call to call."""
    return re.sub(r" \(.*?\)", "", message)


async def problem(choice: TemporalConfig) -> str:
    """The problem that `undersign doctor` and a starting worker report."""
    with pytest.raises(TemporalUnusable) as found:
        await check_namespace(choice)
    with pytest.raises(ConfigError) as ended:
        await connect_worker(choice, ())
    assert list(map(without_reason, ended.value.lines)) == [without_reason(str(found.value))]
    assert found.value.advice
    return found.value.problem


async def test_a_port_at_which_nothing_listens() -> None:
    address = f"127.0.0.1:{free_port()}"
    assert await problem(TemporalConfig(address)) == f"Temporal does not answer at {address} (Connection refused)."


async def test_a_host_that_is_unknown() -> None:
    told = await problem(TemporalConfig("no-such-host.invalid:7233"))
    assert told.startswith("Temporal does not answer at no-such-host.invalid:7233 (")
    assert not any(sign in told for sign in '{}"')


async def test_a_server_of_another_kind() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.com ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        told = await problem(TemporalConfig(address))

    assert told.startswith(f"Temporal does not answer at {address}")
    assert not any(sign in told for sign in '{}"')


async def test_a_namespace_that_is_not_there(environment: WorkflowEnvironment) -> None:
    address = environment.client.service_client.config.target_host
    told = await problem(TemporalConfig(address, "no-such-namespace"))
    assert told == f"Temporal at {address} has no namespace no-such-namespace."


@pytest.mark.parametrize("status", [grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNIMPLEMENTED])
async def test_search_attributes_that_cannot_be_registered_are_logged(status: grpc.StatusCode) -> None:
    with capture_logs() as lines:
        async with unwilling_server(status) as address:
            await ensure_search_attributes(await connect(TemporalConfig(address)))
    assert [line["names"] for line in lines] == [["OrganisationId", "SessionStatus", "SessionWaitsFor", "SessionName"]]


async def test_outages_of_temporal_are_told_until_it_responds(environment: WorkflowEnvironment) -> None:
    told: list[str] = []

    class Told:
        def add_failure(self, reason: str) -> None:
            told.append(reason)

        def add_success(self) -> None:
            told.append("responds")

    address = environment.client.service_client.config.target_host
    for choice in (TemporalConfig("127.0.0.1:1"), TemporalConfig(address)):
        watch = await connect_watch(choice, Told())
        assert await watch() == 0

    assert [without_reason(line) for line in told] == ["Temporal does not answer at 127.0.0.1:1.", "responds"]


async def test_a_server_without_tls(environment: WorkflowEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_TLS", "true")
    address = environment.client.service_client.config.target_host
    told = await problem(TemporalConfig(address))
    assert told == f"Temporal does not answer at {address} (the server does not use TLS at this port)."
