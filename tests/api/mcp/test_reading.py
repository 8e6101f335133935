import pytest

from tests.api.mcp.assistant import assistant
from tests.api.service import Service

eras = pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])


@eras
async def test_a_session_reads_as_the_api_has_it(service: Service, mode: str) -> None:
    made = await service.create()
    async with assistant(service, mode=mode) as mcp:
        found = await mcp.call_tool("get_session", {"sessionId": made["sessionId"]})

    answer = await service.http().get(f"/api/v1/Session/{made['sessionId']}")
    assert (found.is_error, found.structured_content) == (False, answer.json())


@eras
async def test_a_list_reads_as_the_api_has_it(service: Service, mode: str) -> None:
    await service.create()
    async with assistant(service, mode=mode) as mcp:
        found = await mcp.call_tool("list_sessions", {"status": "draft", "limit": 5})

    answer = await service.http().get("/api/v1/Sessions?status=draft&limit=5")
    assert (found.is_error, found.structured_content) == (False, answer.json())
