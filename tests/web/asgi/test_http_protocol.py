"""Request heads are bounded."""

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from itertools import repeat

import pytest

from tests.api.service import OWN, bearer
from tests.web.asgi.connections import CHUNKED, Streams, answer_to, is_cut_off
from web.asgi import http_protocol
from web.asgi.http_protocol import MAX_HEAD

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


async def test_an_upgrade_is_a_plain_request_that_logs_no_warning(
    connection: Streams, caplog: pytest.LogCaptureFixture
) -> None:
    head = LINE + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

    assert await answer_to(connection, head) == b"HTTP/1.1 200 OK\r\n"
    assert not [record for record in caplog.records if "upgrade" in record.getMessage().lower()]


async def test_the_heads_of_several_requests_are_not_added_up(connection: Streams) -> None:
    reader, writer = connection
    request = LINE + b"X-Long: " + b"x" * 30_000 + b"\r\n\r\n"
    for _ in range(5):
        assert await answer_to(connection, request) == b"HTTP/1.1 200 OK\r\n"
        while (await reader.readline()) not in {b"\r\n", b""}:
            pass
        await reader.readuntil(b"}")
    writer.close()


HEADERS = {**bearer(OWN), "Content-Type": "application/json"}
CLOSING = {**HEADERS, "Connection": "close"}
PART = b"x" * 65_536


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
    return _ask(port, path, b"x" * size, CLOSING)


def in_chunks(port: int, path: str, size: int) -> int:
    return _ask(port, path, parts(size), CLOSING)


def _ask(port: int, path: str, body: bytes | Iterator[bytes], headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, body, headers, encode_chunked=not isinstance(body, bytes))
    answer = connection.getresponse()
    assert answer.read()
    return answer.status


every_client = pytest.mark.parametrize("ask", [by_urllib, by_http_client, closing, in_chunks])


@pytest.mark.parametrize("size", [8_100_000, 9_000_000, 16_000_000])
@every_client
@pytest.mark.parametrize("path", ["/api/v1/Image", "/api/v1/Session", "/mcp"])
async def test_a_body_that_is_too_large_is_answered_with_413(
    port: int, ask: Callable[[int, str, int], int], path: str, size: int
) -> None:
    assert await asyncio.to_thread(ask, port, path, size) == 413


@every_client
@pytest.mark.parametrize(("path", "status"), [("/api/v1/Nothing", 404), ("/oidc/token", 400), ("/healthz", 405)])
async def test_other_responses_before_the_end_of_the_body_arrive_too(
    port: int, ask: Callable[[int, str, int], int], path: str, status: int
) -> None:
    assert await asyncio.to_thread(ask, port, path, 9_000_000) == status


async def test_a_connection_stays_open_after_a_small_unread_body(port: int) -> None:
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


@pytest.mark.parametrize(("name", "limit"), [("MAX_DRAINED", 1_000_000), ("MAX_DRAIN_SECONDS", 0.2)])
async def test_an_endless_body_is_cut_off(
    connection: Streams, name: str, limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, name, limit)

    status = await answer_to(connection, CHUNKED.replace(b"/oidc/token", b"/api/v1/Nothing"))

    assert status.startswith(b"HTTP/1.1 404")
    assert await is_cut_off(connection, b"", b"10000\r\n" + PART + b"\r\n")
