"""Slow connections end: silent ones, heads, bodies and unread responses; usual ones stay."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.http_requests import PATIENCE
from web.asgi.http_protocol import BoundedHttp
from web.asgi.slow_connections import ConnectionLimits, _network_of

GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
LARGE = 30_000_000


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, and responds with its size; `/large` with much, `/late` after a while."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message.get("more_body", False)
    if scope["path"] == "/late":
        await asyncio.sleep(1)
    await Response(b"x" * LARGE if scope["path"] == "/large" else str(size))(scope, receive, send)


_ended: dict[int, asyncio.Event] = {}
"""Set when a connection to the server on the port has ended."""


@asynccontextmanager
async def served(limits: ConnectionLimits) -> AsyncIterator[int]:
    ended = asyncio.Event()

    class Limited(BoundedHttp):
        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            ended.set()

    Limited.limits = limits
    config = uvicorn.Config(
        app, http=Limited, ws="none", log_config=None, forwarded_allow_ips="", timeout_keep_alive=60
    )
    config.load()
    server = uvicorn.Server(config)
    listening = await asyncio.get_running_loop().create_server(
        lambda: Limited(config=config, server_state=server.server_state, app_state={}), "127.0.0.1", 0
    )
    port = listening.sockets[0].getsockname()[1]
    _ended[port] = ended
    yield port
    listening.close()
    del _ended[port]


SHORT = ConnectionLimits(head=0.2, body=0.2, rate=1_000_000, stalled=0.3, step=0.1)


async def is_ended(port: int, begin: bytes, part: bytes = b"") -> bool:
    """Returns whether the server ends a connection on which `part` follows `begin` again and again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(begin)

    async def drip() -> None:
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.02)

    dripping = asyncio.create_task(drip())
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read() == b""
    except ConnectionError:
        return True
    finally:
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)
        writer.close()


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (b"", b""),
        (b"GET / HT", b""),
        (GET, b"a: b\r\n"),
        (b"\r\n", b"\r\n"),
        (POST, b""),
        (POST, b"x"),
        (POST.replace(b"Content-Length: 1000000", b"Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
    ],
    ids=["silent", "line", "fields", "empty lines", "no body", "slow body", "slow chunks"],
)
async def test_a_slow_request_ends(begin: bytes, part: bytes) -> None:
    async with served(SHORT) as port:
        assert await is_ended(port, begin, part)


async def test_a_second_request_may_be_as_slow_as_the_first() -> None:
    async with served(SHORT) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET + b"\r\n")
        await reader.readuntil(b"\r\n\r\n0")
        writer.write(GET)
        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b""
        writer.close()


async def test_a_response_that_is_not_read_ends() -> None:
    async with served(SHORT) as port:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(connection, ("127.0.0.1", port))
            await loop.sock_sendall(connection, b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.wait_for(_ended[port].wait(), PATIENCE)
            size = 0
            try:
                while part := await asyncio.wait_for(loop.sock_recv(connection, 1_000_000), PATIENCE):
                    size += len(part)
            except ConnectionError:
                pass
            assert size < LARGE


async def test_usual_requests_are_not_slow() -> None:
    limits = ConnectionLimits(head=0.3, body=0.3, rate=100, stalled=60, step=0.1)
    async with served(limits) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for path in (b"/", b"/late", b"/"):
            writer.write(GET.replace(b"/ ", path + b" ") + b"\r\n")
            await reader.readuntil(b"\r\n\r\n0")
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(10):  # a second, of which the limit without the rate is a third
            writer.write(b"x" * 100)
            await asyncio.sleep(0.1)
        await reader.readuntil(b"\r\n\r\n1000")
        writer.close()


async def test_all_connections_are_limited() -> None:
    async with served(ConnectionLimits(in_all=3)) as port:
        kept = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await is_ended(port, GET)
        for reader, writer in kept:
            writer.write(GET + b"\r\n")
            await reader.readuntil(b"\r\n\r\n0")
            writer.close()


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("203.0.113.7", "203.0.113.7/32"),
        ("::ffff:203.0.113.7", "203.0.113.7/32"),
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
        ("127.0.0.1", ""),
        ("10.1.2.3", ""),
        ("192.0.2.1", ""),
        ("", ""),
    ],
)
def test_connections_are_counted_by_network_except_those_of_proxies(host: str, network: str) -> None:
    assert _network_of(host, "10.0.0.0/8, 192.0.2.1") == network
