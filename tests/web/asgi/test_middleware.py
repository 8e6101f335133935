"""Headers of every response, and HEAD and OPTIONS for every address."""

import re

import pytest
from fastapi.routing import iter_route_contexts

from adapters.rate_limit_counters import limit_in_memory
from api.body_limits import MAX_BODY
from domain.ports.limits import Quotas
from tests.api.belongings import make_belongings
from tests.api.operations import OPERATIONS, Operation
from tests.api.service import GRANT, OWN, SECRET, Service, session_request
from tests.builders import identifier

AUTH = (OWN.client_id, SECRET)
GETS = [operation for operation in OPERATIONS if operation.method == "GET"]
_CHANGING = {"x-request-id", "ratelimit", "set-cookie"}


def addresses(service: Service) -> dict[str, set[str]]:
    """The methods of every route of the application, in the description or not, by an address that it has."""
    found: dict[str, set[str]] = {}
    for route in iter_route_contexts(service.app.routes):
        path = re.sub(r"\{[^}]*:int\}", "1", str(route.path))
        found.setdefault(re.sub(r"\{[^}]*\}", "unknown", path), set()).update(route.methods or ())
    return found


async def test_every_address_with_get_takes_head(service: Service) -> None:
    for address, methods in addresses(service).items():
        answer = await service.http().head(address)

        assert "GET" not in methods or answer.status_code != 405, address
        assert answer.content == b"", address


@pytest.mark.parametrize("operation", GETS, ids=str)
async def test_a_head_has_the_headers_of_the_get(service: Service, operation: Operation) -> None:
    mine = await make_belongings(service, OWN)
    await service.generate(await service.complete(mine["sessionId"]))
    url, http = operation.url_on(mine), service.http()

    head, whole = await http.head(url), await http.get(url)

    assert head.status_code == whole.status_code
    assert head.headers.keys() == whole.headers.keys()
    sealed = {"content-length"} if operation.path.endswith("/Certificate") else set()
    for name in head.headers.keys() - _CHANGING - sealed:
        assert head.headers[name] == whole.headers[name], name
    assert head.content == b""


@pytest.mark.parametrize("rest", ["/Documents", "/Certificate"])
async def test_a_head_hands_nothing_out(service: Service, rest: str) -> None:
    session = await service.create(sendImmediately=True)
    await service.generate(await service.complete(session["sessionId"]))
    path = f"/api/v1/Session/{session['sessionId']}"

    async def downloaded() -> int:
        events = (await service.http().get(f"{path}/Events")).json()["events"]
        return sum(event["type"] == "session.downloaded" for event in events)

    head = await service.http().head(path + rest)
    after_head = await downloaded()
    await service.http().get(path + rest)

    assert (head.status_code, after_head) == (200, 0)
    assert await downloaded() == 1


async def test_options_names_the_methods_of_every_address(service: Service) -> None:
    for address, methods in addresses(service).items():
        if address.startswith("/codec/"):  # has a route for OPTIONS, which browsers ask before they post
            continue
        answer = await service.http(None).options(address)

        assert (answer.status_code, answer.content) == (204, b""), (address, answer.text)
        allowed = set(answer.headers["allow"].split(", "))
        assert allowed >= methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set()), address


async def test_options_of_an_unknown_address_is_not_found(service: Service) -> None:
    assert (await service.http().options("/nowhere")).status_code == 404


async def test_sessions_and_refusals_are_not_kept(service: Service) -> None:
    made = await service.http().post("/api/v1/Session", json=session_request())
    path = f"/api/v1/Session/{made.json()['sessionId']}"
    answers = {
        200: made,
        400: await service.http().post("/api/v1/Session", json={}),
        401: await service.http(None).get(path),
        404: await service.http().get(f"/api/v1/Session/{identifier('x')}"),
        405: await service.http().put(path),
    }

    assert {status: answer.status_code for status, answer in answers.items()} == {status: status for status in answers}
    assert {answer.headers["cache-control"] for answer in answers.values()} == {"no-store"}


async def test_tokens_and_their_refusals_are_not_kept(service: Service) -> None:
    service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(tokens=2))
    large = {"grant_type": "x" * (MAX_BODY + 1)}

    answers = [await service.http(None).post("/oidc/token", data=form, auth=AUTH) for form in (large, GRANT, GRANT)]

    assert [answer.status_code for answer in answers] == [413, 200, 429]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


async def test_public_keys_may_be_kept(service: Service) -> None:
    answer = await service.http(None).get("/.well-known/jwks.json")

    assert "no-store" not in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("base_url", "value"), [("https://sign.example.com", "max-age=31536000"), ("http://localhost:8080", None)]
)
async def test_every_answer_says_so_where_the_public_address_is_https(
    service: Service, base_url: str, value: str | None
) -> None:
    service.use(base_url=base_url)

    for path in ("/", "/app", "/api/v1/Sessions", "/openapi.json", "/nothing"):
        answer = await service.http(None).get(path)
        assert answer.headers.get("strict-transport-security") == value


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        ("request-17", True),
        ("00-4bf9_2f/35:77+b3=4d@a6 (a), #3", True),
        ("~" * 128, True),
        ("~" * 129, False),
        *((f"a{character}b", False) for character in "<>&\"'`\\\t\x7f"),
        ("é".encode("latin-1").decode("latin-1"), False),
    ],
)
async def test_the_id_of_a_request_is_kept_if_it_is_plain(service: Service, given: str, is_kept: bool) -> None:
    answer = await service.http(None).get("/healthz", headers={b"X-Request-Id": given.encode("latin-1")})
    assert (answer.headers["x-request-id"] == given) is is_kept


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/Sessions", "/oidc/token", "/nowhere", "/docs", "/app"])
async def test_no_response_is_taken_for_something_else(service: Service, path: str) -> None:
    headers = (await service.http(None).get(path)).headers
    assert headers["x-content-type-options"] == "nosniff"
    if path.startswith(("/api/", "/oidc/token")):
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
