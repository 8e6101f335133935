"""The description of the API takes half a second to make: only who asks for it has it made, beside the event loop."""

import asyncio
import threading
from typing import Any

import pytest

from api.openapi import description
from tests.api.mcp.assistant import assistant
from tests.api.operations import OPERATIONS, Operation
from tests.api.service import Service


@pytest.fixture
def made_in(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads in which a description was made."""
    threads: list[threading.Thread] = []
    make = description.get_openapi

    def noted(**members: Any) -> dict[str, Any]:
        threads.append(threading.current_thread())
        return make(**members)

    monkeypatch.setattr(description, "get_openapi", noted)
    return threads


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
async def test_no_operation_makes_it(service: Service, operation: Operation, made_in: list[threading.Thread]) -> None:
    async with service.http() as http:
        await http.request(operation.method, f"{operation.url()}?unknown=1&unknown=2", json={"unknown": [1]})
    assert not made_in


async def test_concurrent_requests_make_it_once_beside_the_loop(
    service: Service, made_in: list[threading.Thread]
) -> None:
    async with service.http(None) as http:
        answers = await asyncio.gather(*[http.get("/openapi.json") for _ in range(3)])

    assert [answer.json() for answer in answers] == [service.app.openapi()] * 3
    assert len(made_in) == 1
    assert made_in[0] is not threading.main_thread()


async def test_listing_tools_does_not_make_it_in_the_loop(service: Service, made_in: list[threading.Thread]) -> None:
    async with assistant(service) as mcp:
        assert (await mcp.list_tools()).tools
    assert threading.main_thread() not in made_in
