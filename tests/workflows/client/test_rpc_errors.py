"""Errors of Temporal are mapped, and refusals are logged without their messages."""

import grpc
import pytest
from structlog.testing import capture_logs
from temporalio.service import RPCError, RPCStatusCode

from domain.shared.errors import Unavailable
from tests.builders import created
from tests.fakes.temporal_server import unwilling_server
from workflows.client.rpc_errors import rpc_status_name
from workflows.client.runs import connect_runs
from workflows.sdk.temporal_settings import TemporalConfig


@pytest.mark.parametrize("greets", [True, False], ids=["at a call", "at connecting"])
@pytest.mark.parametrize(
    ("status", "logged"),
    [
        (grpc.StatusCode.PERMISSION_DENIED, ["PERMISSION_DENIED"]),
        (grpc.StatusCode.UNAUTHENTICATED, ["UNAUTHENTICATED"]),
        (grpc.StatusCode.UNAVAILABLE, []),
    ],
)
async def test_a_refusal_is_logged_by_its_status(status: grpc.StatusCode, logged: list[str], *, greets: bool) -> None:
    with capture_logs() as lines:
        async with unwilling_server(status, greets=greets) as address:
            runs = await connect_runs(TemporalConfig(address))
            with pytest.raises(Unavailable):
                await runs.start(created().session)

    assert [line["status"] for line in lines] == logged
    assert "words of the server" not in str(lines)


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (RPCError("", RPCStatusCode.RESOURCE_EXHAUSTED, b""), "RESOURCE_EXHAUSTED"),
        (RPCError("", RPCStatusCode.DEADLINE_EXCEEDED, b""), None),
        (RuntimeError("Failed client connect: Server connection error"), None),
        (RuntimeError("Status { code: SomethingElse }"), None),
    ],
)
def test_only_a_refusal_has_a_status_name(error: RPCError | RuntimeError, named: str | None) -> None:
    assert rpc_status_name(error) == named
