"""What a request has beside its body is bounded: the server stops reading, whatever is sent without an end."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from uvicorn.server import ServerState

from api.__main__ import configure
from asgi.server import MAX_HEAD, BoundedHttp
from settings import Settings
from tests.api.service import Service

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
LINE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"POST /oidc/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
async def connection(service: Service) -> AsyncIterator[Streams]:
    """To a server as it is configured for production."""
    config = configure(service.services(), Settings())
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: config.http_protocol_class(config=config, server_state=state, app_state={}),  # type: ignore[union-attr]
        "127.0.0.1",
        0,
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    yield reader, writer
    writer.close()
    server.close()


async def answer_to(connection: Streams, request: bytes) -> bytes:
    """The status line of the answer."""
    reader, writer = connection
    writer.write(request)
    return await reader.readline()


async def is_cut_off(connection: Streams, begin: bytes, part: bytes) -> bool:
    """Whether the server closes the connection before it has read 200 MB."""
    _, writer = connection
    writer.write(begin)
    try:
        for _ in range(200_000_000 // len(part)):
            writer.write(part)
            await writer.drain()
    except ConnectionError:
        return True
    return False


def test_the_server_uses_it(service: Service) -> None:
    config = configure(service.services(), Settings())
    config.load()

    assert config.http_protocol_class is BoundedHttp


async def test_a_head_of_nearly_the_limit_is_read(connection: Streams) -> None:
    head = LINE + b"X-Long: " + b"x" * (MAX_HEAD - 200) + b"\r\n\r\n"

    assert await answer_to(connection, head) == b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "head",
    [
        LINE + b"X-Long: " + b"x" * MAX_HEAD + b"\r\n\r\n",
        b"GET /?" + b"a=b&" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["field", "query"],
)
async def test_a_larger_head_is_refused(connection: Streams, head: bytes) -> None:
    assert await answer_to(connection, head) == b"HTTP/1.1 400 Bad Request\r\n"


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (LINE + b"X-Long: ", b"x" * 10_000),
        (LINE, b"X-More: x\r\n" * 1000),
        (b"GET /", b"x" * 10_000),
        (CHUNKED + b"5;", b"x" * 10_000),
        (CHUNKED + b"1\r\na\r\n0\r\n", b"a: b\r\n" * 2000),
    ],
    ids=["value", "fields", "path", "extension of a chunk", "trailers"],
)
async def test_what_has_no_end_is_not_read_on(connection: Streams, begin: bytes, part: bytes) -> None:
    assert await is_cut_off(connection, begin, part)


async def test_requests_one_after_the_other_are_not_added_up(connection: Streams) -> None:
    reader, writer = connection
    request = LINE + b"X-Long: " + b"x" * 30_000 + b"\r\n\r\n"
    for _ in range(5):
        assert await answer_to(connection, request) == b"HTTP/1.1 200 OK\r\n"
        while (await reader.readline()) not in {b"\r\n", b""}:
            pass
        await reader.readuntil(b"}")
    writer.close()
