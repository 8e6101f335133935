"""Clients that write their whole body before they read get the answer, however early it was made."""

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import repeat

import pytest
import uvicorn

from api.__main__ import configure
from asgi import server
from settings import Settings
from tests.api.service import OWN, Service, bearer

HEADERS = {**bearer(OWN), "Content-Type": "application/json"}
PART = b"x" * 65_536


@pytest.fixture
async def port(service: Service) -> AsyncIterator[int]:
    """Of a server as it is configured for production."""
    config = configure(service.services(), Settings())
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    listening = await asyncio.get_running_loop().create_server(
        lambda: config.http_protocol_class(config=config, server_state=server.server_state, app_state={}),  # type: ignore[union-attr]
        "127.0.0.1",
        0,
    )
    yield listening.sockets[0].getsockname()[1]
    listening.close()


def parts(size: int) -> Iterator[bytes]:
    yield from repeat(PART, size // len(PART))
    yield PART[: size % len(PART)]


def by_urllib(port: int, path: str, size: int) -> int:
    """Says `Connection: close`, as urllib does."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", b"x" * size, HEADERS)  # http
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(request, timeout=60)  # noqa: S310  # http
    with raised.value as answer:
        assert answer.read()
        return answer.code


def by_http_client(port: int, path: str, size: int) -> int:
    return _ask(port, path, b"x" * size, HEADERS)


def closing(port: int, path: str, size: int) -> int:
    return _ask(port, path, b"x" * size, {**HEADERS, "Connection": "close"})


def in_chunks(port: int, path: str, size: int) -> int:
    return _ask(port, path, parts(size), {**HEADERS, "Connection": "close"})


def _ask(port: int, path: str, body: bytes | Iterator[bytes], headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, body, headers, encode_chunked=not isinstance(body, bytes))
    answer = connection.getresponse()
    assert answer.read()
    return answer.status


@pytest.mark.parametrize("size", [8_100_000, 9_000_000, 16_000_000])
@pytest.mark.parametrize("ask", [by_urllib, by_http_client, closing, in_chunks])
@pytest.mark.parametrize("path", ["/api/v1/Image", "/api/v1/Session", "/mcp"])
async def test_a_body_that_is_too_large_is_answered_with_413(
    port: int, ask: Callable[[int, str, int], int], path: str, size: int
) -> None:
    assert await asyncio.to_thread(ask, port, path, size) == 413


@pytest.mark.parametrize("ask", [by_urllib, by_http_client, closing, in_chunks])
@pytest.mark.parametrize(("path", "status"), [("/api/v1/Nothing", 404), ("/oidc/token", 400), ("/healthz", 405)])
async def test_other_answers_that_come_before_the_body_was_read_arrive_too(
    port: int, ask: Callable[[int, str, int], int], path: str, status: int
) -> None:
    assert await asyncio.to_thread(ask, port, path, 9_000_000) == status


async def test_a_connection_goes_on_after_a_small_body_that_nothing_has_read(port: int) -> None:
    def twice() -> list[int]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        statuses = []
        for _ in range(2):
            connection.request("POST", "/api/v1/Nothing", b"x" * 60_000, HEADERS)
            answer = connection.getresponse()
            statuses.append(answer.status)
            answer.read()
            assert not answer.will_close
        connection.close()
        return statuses

    assert await asyncio.to_thread(twice) == [404, 404]


@pytest.mark.parametrize(("name", "bound"), [("MAX_DRAINED", 1_000_000), ("MAX_DRAIN_SECONDS", 0.2)])
async def test_a_body_without_an_end_is_cut_off(
    port: int, name: str, bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, name, bound)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /api/v1/Nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")

    assert (await reader.readline()).startswith(b"HTTP/1.1 404")
    with pytest.raises(ConnectionError):
        await write_without_end(writer)


async def write_without_end(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"10000\r\n" + PART + b"\r\n")
        await writer.drain()
