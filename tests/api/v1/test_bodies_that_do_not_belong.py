"""A body where none is taken is refused, by every operation of the description, and nothing is done."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.api.belongings import make_belongings, stored
from tests.api.operations import OPERATIONS, PUBLIC, Operation
from tests.api.service import OWN, Service, issues_by_path

BODIES = [b'{"permanent": true}', b"{}", b" ", b"\x00", b"permanent=true", b"x" * 50_000]
WITHOUT_BODY = [operation for operation in OPERATIONS if not operation.takes_body]
every_operation_without_a_body = pytest.mark.parametrize("operation", WITHOUT_BODY, ids=str)


async def in_parts(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def test_there_are_such_operations_of_every_method() -> None:
    assert {operation.method for operation in WITHOUT_BODY} >= {"GET", "DELETE", "POST"}


@every_operation_without_a_body
async def test_a_body_is_refused(service: Service, operation: Operation) -> None:
    mine = await make_belongings(service, OWN)
    before = await stored(service)

    for body in (*BODIES, in_parts(b"", b"{}", b""), in_parts(*[b"x" * 1000] * 3)):
        answer = await service.http().request(operation.method, operation.url_on(mine), content=body)

        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST"), body
        assert issues_by_path(answer).keys() == {""}
        assert "takes no body" in issues_by_path(answer)[""]
    assert "400" in operation.described["responses"]
    assert await stored(service) == before


@every_operation_without_a_body
async def test_a_large_body_is_refused_unread(service: Service, operation: Operation) -> None:
    mine = await make_belongings(service, OWN)
    answer = await service.http().request(operation.method, operation.url_on(mine), content=b"x" * 9_000_000)
    assert answer.json()["error"] in {"INVALID_REQUEST", "BODY_TOO_LARGE"}


async def test_all_issues_of_a_request_are_listed(service: Service) -> None:
    answer = await service.http().request("GET", "/api/v1/Sessions?limit=0&verbose=1", content=b"{}")
    assert issues_by_path(answer).keys() == {"/limit", "/verbose", ""}


@pytest.mark.parametrize("is_announced", [True, False])
@every_operation_without_a_body
async def test_an_empty_body_is_fine(service: Service, operation: Operation, is_announced: bool) -> None:
    mine = await make_belongings(service, OWN)
    empty: dict[str, Any] = {"headers": {"Content-Length": "0"}} if is_announced else {"content": in_parts(b"", b"")}

    answer = await service.http().request(operation.method, operation.url_on(mine), **empty)

    assert "takes no body" not in answer.text


@every_operation_without_a_body
async def test_a_body_without_a_token_is_401(service: Service, operation: Operation) -> None:
    if operation.path in PUBLIC:
        return
    answer = await service.http(None).request(operation.method, operation.url(), content=b"{}")
    assert answer.status_code == 401
