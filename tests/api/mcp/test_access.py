"""Who may call what: the check of the API, and refusals by HTTP that clients of OAuth understand."""

from typing import Any

import httpx
import pytest

from api.mcp.tools.catalogue import TOOLS
from ports.limits import Quotas
from tests.api.service import BASE_URL, EVERYTHING, OWN, Service, bearer, client_of
from tests.api.v1.test_access import REVOKED, every_bad_token, presents_a_token
from tests.builders import ORGANISATION

METADATA = f'resource_metadata="{BASE_URL}/.well-known/oauth-protected-resource/mcp"'
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}

every_tool = pytest.mark.parametrize("tool", TOOLS)


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    return message("tools/call", name=tool, arguments=arguments)


async def post(service: Service, asked: dict[str, Any], headers: dict[Any, Any] | None = None) -> httpx.Response:
    return await service.http(None).post("/mcp", json=asked, headers={**HEADERS, **(headers or {})})


@every_bad_token
async def test_a_token_that_we_did_not_issue_for_now_is_refused_before_anything_else(
    service: Service, authorization: str
) -> None:
    await service.organisations.add_client(REVOKED)
    given = {"Authorization": authorization.encode("latin-1")} if authorization else {}

    answer = await post(service, {"nonsense": True}, given)

    challenge = answer.headers["www-authenticate"]
    assert (answer.status_code, answer.json()["error"]["data"]["error"]) == (401, "UNAUTHORIZED")
    assert challenge.startswith(f"Bearer {METADATA}")
    assert ('error="invalid_token"' in challenge) == presents_a_token(authorization)


@every_tool
async def test_no_tool_is_called_without_a_token(service: Service, tool: str) -> None:
    assert (await post(service, calling(tool))).status_code == 401


@every_tool
async def test_every_tool_refuses_a_token_without_its_scope_and_names_it(service: Service, tool: str) -> None:
    others = tuple(scope for scope in EVERYTHING if scope not in TOOLS[tool].scopes)

    answer = await post(service, calling(tool), bearer(OWN, others))

    error = answer.json()["error"]
    assert (answer.status_code, answer.json()["id"], error["data"]["error"]) == (403, 7, "INSUFFICIENT_SCOPE")
    wanted = f'Bearer {METADATA}, error="insufficient_scope", scope="{TOOLS[tool].scopes[0].value}"'
    assert answer.headers["www-authenticate"] == wanted
    assert TOOLS[tool].scopes[0].value in error["message"]


@every_tool
async def test_any_one_of_the_scopes_of_a_tool_opens_it(service: Service, tool: str) -> None:
    for scope in TOOLS[tool].scopes:
        answer = await post(service, calling(tool, unknown=True), bearer(OWN, (scope.value,)))

        assert answer.json()["result"]["structuredContent"]["error"] == "INVALID_REQUEST"


@every_tool
async def test_a_scope_that_the_client_has_lost_counts_no_more(service: Service, tool: str) -> None:
    others = tuple(scope for scope in EVERYTHING if scope not in TOOLS[tool].scopes)
    await service.organisations.add_client(client_of(ORGANISATION, "narrowed", scopes=others))

    answer = await post(service, calling(tool), bearer(client_of(ORGANISATION, "narrowed")))

    assert answer.status_code == 403


async def test_calls_are_counted_with_those_of_the_api_reads_and_writes_apart(service: Service) -> None:
    service.use(quotas=Quotas(reads=2, writes=1, tokens=0, pages=0))
    await service.http().get("/api/v1/Sessions")

    last = await post(service, calling("list_sessions"), bearer(OWN))
    refused = await post(service, calling("list_sessions"), bearer(OWN))

    assert (last.status_code, last.headers["ratelimit"].partition(";t")[0]) == (200, '"reads";r=0')
    assert (refused.status_code, refused.json()["error"]["data"]["error"]) == (429, "RATE_LIMITED")
    assert int(refused.headers["retry-after"]) > 0


async def test_no_cache_keeps_what_tools_answer(service: Service) -> None:
    answers = [await post(service, calling("list_sessions"), headers) for headers in (bearer(OWN), None)]

    assert [(answer.status_code, answer.headers["cache-control"]) for answer in answers] == [
        (200, "no-store"), (401, "no-store"),
    ]  # fmt: skip


async def test_pages_of_other_origins_are_refused_and_our_own_are_not(service: Service) -> None:
    own = await post(service, calling("list_sessions"), {**bearer(OWN), "Origin": BASE_URL})
    other = await post(service, calling("list_sessions"), {**bearer(OWN), "Origin": "https://evil.example.com"})

    assert (own.status_code, other.status_code) == (200, 403)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_is_no_stream_to_open_and_no_connection_to_end(service: Service, method: str) -> None:
    answer = await service.http().request(method, "/mcp", headers=HEADERS)

    assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")
