"""Request heads are bounded."""

import pytest

from asgi.http_protocol import MAX_HEAD
from tests.asgi.connections import CHUNKED, Streams, answer_to, is_cut_off

LINE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


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
async def test_an_endless_head_is_cut_off(connection: Streams, begin: bytes, part: bytes) -> None:
    assert await is_cut_off(connection, begin, part)


async def test_the_heads_of_several_requests_are_not_added_up(connection: Streams) -> None:
    reader, writer = connection
    request = LINE + b"X-Long: " + b"x" * 30_000 + b"\r\n\r\n"
    for _ in range(5):
        assert await answer_to(connection, request) == b"HTTP/1.1 200 OK\r\n"
        while (await reader.readline()) not in {b"\r\n", b""}:
            pass
        await reader.readuntil(b"}")
    writer.close()
