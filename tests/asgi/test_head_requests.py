"""HEAD is answered wherever GET is, with the same header fields and no body; OPTIONS names the methods."""

import re

import pytest
from fastapi.routing import iter_route_contexts

from tests.api.belongings import make_belongings
from tests.api.operations import OPERATIONS, Operation
from tests.api.service import OWN, Service

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
