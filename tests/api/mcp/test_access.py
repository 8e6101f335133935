"""Access to the tools, refused by HTTP."""

from json import dumps
from typing import Any

import httpx
import pytest

from api.mcp.server import TOOLS
from domain.ports.limits import Quotas
from tests.api.service import BASE_URL, EVERYTHING, OWN, Service, bearer, client_of
from tests.api.v1.test_access import BAD_TOKENS, REVOKED, presents_a_token
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


@pytest.mark.parametrize("authorization", BAD_TOKENS.values(), ids=BAD_TOKENS.keys())
async def test_an_invalid_token_is_refused_first(service: Service, authorization: str) -> None:
    await service.organisations.add_client(REVOKED)
    given = {"Authorization": authorization.encode("latin-1")} if authorization else {}

    answer = await post(service, {"nonsense": True}, given)

    challenge = answer.headers["www-authenticate"]
    assert (answer.status_code, answer.json()["error"]["data"]["error"]) == (401, "UNAUTHORIZED")
    assert challenge.startswith(f"Bearer {METADATA}")
    assert ('error="invalid_token"' in challenge) == presents_a_token(authorization)


@every_tool
async def test_a_tool_needs_a_token_with_one_of_its_scopes_that_its_client_still_has(
    service: Service, tool: str
) -> None:
    scopes = [scope.value for scope in TOOLS[tool].scopes]
    others = tuple(scope for scope in EVERYTHING if scope not in scopes)
    await service.organisations.add_client(client_of(ORGANISATION, "narrowed", scopes=others))

    assert (await post(service, calling(tool))).status_code == 401
    answer = await post(service, calling(tool), bearer(OWN, others))
    error = answer.json()["error"]
    assert (answer.status_code, answer.json()["id"], error["data"]["error"]) == (403, 7, "INSUFFICIENT_SCOPE")
    challenge = f'Bearer {METADATA}, error="insufficient_scope", scope="{scopes[0]}"'
    assert answer.headers["www-authenticate"] == challenge
    assert scopes[0] in error["message"]
    assert (await post(service, calling(tool), bearer(client_of(ORGANISATION, "narrowed")))).status_code == 403
    for scope in scopes:
        answer = await post(service, calling(tool, unknown=True), bearer(OWN, (scope,)))
        assert answer.json()["result"]["structuredContent"]["error"] == "INVALID_REQUEST"


async def test_calls_are_counted_with_those_of_the_api_reads_and_writes_apart(service: Service) -> None:
    service.use(quotas=Quotas(reads=2, writes=1, tokens=0, pages=0))
    await service.http().get("/api/v1/Sessions")

    last = await post(service, calling("list_sessions"), bearer(OWN))
    refused = await post(service, calling("list_sessions"), bearer(OWN))

    assert (last.status_code, last.headers["ratelimit"].partition(";t")[0]) == (200, '"reads";r=0')
    assert (refused.status_code, refused.json()["error"]["data"]["error"]) == (429, "RATE_LIMITED")
    assert int(refused.headers["retry-after"]) > 0


async def test_refused_calls_count_against_their_client_alone(service: Service) -> None:
    service.use(quotas=Quotas(reads=1, writes=1, tokens=0, pages=0))
    readers = bearer(OWN, ("read:sessions",))

    refused = [(await post(service, calling("create_session"), readers)).status_code for _ in range(2)]

    assert refused == [403, 429]
    assert (await post(service, calling("create_session"), bearer(OWN))).status_code == 200


async def test_responses_are_not_cached_and_pages_of_other_origins_are_refused(service: Service) -> None:
    foreign = {**bearer(OWN), "Origin": "https://evil.example.com"}
    answers = [
        await post(service, calling("list_sessions"), headers)
        for headers in (bearer(OWN), None, {**bearer(OWN), "Origin": BASE_URL}, foreign)
    ]

    assert [answer.status_code for answer in answers] == [200, 401, 200, 403]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_are_no_streams_and_no_sessions(service: Service, method: str) -> None:
    answer = await service.http().request(method, "/mcp", headers=HEADERS)

    assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_both_addresses_have_the_same_answers(service: Service, path: str) -> None:
    http = service.http(None)
    refused = await http.post(path, json=calling("list_sessions"), headers=HEADERS)
    done = await http.post(path, json=calling("list_sessions"), headers={**HEADERS, **bearer(OWN)})
    assert (refused.status_code, METADATA in refused.headers["www-authenticate"]) == (401, True)
    assert (done.status_code, done.json()["result"]["isError"]) == (200, False)


@pytest.mark.parametrize(
    "accept", [None, "", "*/*", "application/json", "application/*", "application/json;q=0.9, */*;q=0.1"]
)
@pytest.mark.parametrize("kind", [None, "application/json", "application/json; charset=utf-8"])
async def test_headers_that_are_absent_mean_any_type(service: Service, accept: str | None, kind: str | None) -> None:
    given = {"Accept": accept, "Content-Type": kind}
    http = service.http(None)
    asked = http.build_request("POST", "/mcp", content=dumps(calling("list_sessions")), headers=bearer(OWN))
    for name, value in given.items():
        asked.headers.pop(name, None)
        if value is not None:
            asked.headers[name] = value
    answer = await http.send(asked)
    assert (answer.status_code, answer.json()["result"]["isError"]) == (200, False)
