"""401, then 403, then 404, then everything else: a caller learns nothing that it may not ask (Specification 5.3)."""

from collections.abc import AsyncIterator

import pytest

from tests.api.belongings import make_belongings
from tests.api.operations import Operation, every_operation, every_operation_on_something, every_operation_with_a_body
from tests.api.service import OWN, Service, bearer
from tests.builders import identifier

NONSENSE = {"Idempotency-Key": "\N{SNOWMAN}".encode(), "Content-Type": "nonsense", "Accept": "nonsense/nothing"}


class Body:
    """A body that is sent when it is asked for."""

    def __init__(self) -> None:
        self.was_read = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.was_read = True
        yield b"{"


def nonsense(operation: Operation) -> str:
    """A query in which every parameter makes no sense."""
    return "?" + "&".join(f"{name}=%00nonsense" for name in operation.query)


@every_operation_with_a_body
@pytest.mark.parametrize(("status", "scopes"), [(401, None), (403, "others")])
async def test_a_body_is_not_read_before_authorisation(
    service: Service, operation: Operation, status: int, scopes: str | None
) -> None:
    body, headers = Body(), bearer(OWN, operation.other_scopes) if scopes else {}

    answer = await service.http(None).request(
        operation.method, operation.url(), content=body, headers={**headers, "Content-Type": "application/json"}
    )

    assert (answer.status_code, body.was_read) == (status, False)


@every_operation_with_a_body
async def test_a_body_is_read_after_all_checks(service: Service, operation: Operation) -> None:
    mine, body = await make_belongings(service, OWN), Body()

    answer = await service.http().request(
        operation.method, operation.url(mine), content=body, headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, body.was_read) == (400, True)


@every_operation_on_something
async def test_a_body_is_not_read_for_what_is_not_there(service: Service, operation: Operation) -> None:
    unknown, body = {name: identifier("unknown") for name in operation.identifiers}, Body()
    answer = await service.http().request(operation.method, operation.url(unknown), content=body)
    assert (answer.status_code, body.was_read) == (404, False)


@every_operation
async def test_token_and_scope_are_checked_first(service: Service, operation: Operation) -> None:
    url, http = operation.url() + nonsense(operation), service.http(None)

    no_token = await http.request(operation.method, url, content=b"{", headers=NONSENSE)
    no_scope = await http.request(
        operation.method, url, content=b"{", headers={**NONSENSE, **bearer(OWN, operation.other_scopes)}
    )

    assert (no_token.status_code, no_scope.status_code) == (401, 403)


@every_operation_on_something
async def test_existence_is_checked_before_the_request(service: Service, operation: Operation) -> None:
    unknown = {name: identifier("unknown") for name in operation.identifiers}

    answer = await service.http().request(
        operation.method, operation.url(unknown) + nonsense(operation), content=b"{", headers=NONSENSE
    )

    assert answer.status_code == 404
