"""Search attributes that may not be registered are told to who may."""

import grpc
import pytest
from structlog.testing import capture_logs

from tests.fakes.temporal_server import unwilling_server
from workflows.client.namespace_check import ensure_search_attributes
from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect


@pytest.mark.parametrize("status", [grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNIMPLEMENTED])
async def test_where_they_are_registered_by_other_means_it_is_said_which(status: grpc.StatusCode) -> None:
    with capture_logs() as lines:
        async with unwilling_server(status) as address:
            await ensure_search_attributes(await connect(TemporalConfig(address)))
    assert [line["names"] for line in lines] == [["OrganisationId", "SessionStatus", "SessionName"]]
