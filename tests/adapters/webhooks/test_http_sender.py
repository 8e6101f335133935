"""Sending to receivers that fail in every way: each try ends in time, at checked addresses, and says why it failed."""

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_address
from pathlib import Path

import pytest

from adapters.webhooks.http_sender import HttpSender
from adapters.webhooks.ssrf_guard import Address, NameNotFound, look_up
from domain.callbacks.delivery_schedule import Attempt
from tests.fakes.certificates import Authority
from tests.fakes.receivers import Answer, Receiver, drips, floods, hangs, receiving, says, sends

BODY = '{"type":"session.sent","data":{"name":"Ünïcode"}}'.encode()
HEADERS = {"webhook-id": "msg_1"}
LOCAL = (ip_address("127.0.0.1"),)


class Names:
    """A name server that answers each look-up with the next of `answers`, and the last for ever."""

    def __init__(self, *answers: tuple[Address, ...]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> tuple[Address, ...]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def send(url: str, sender: HttpSender | None = None) -> Attempt:
    return await (sender or HttpSender(private=True, try_seconds=5)).send(url, HEADERS, BODY)


async def sent_to(answer: Answer, try_seconds: float = 5) -> tuple[Attempt, Receiver]:
    async with receiving(answer) as receiver:
        return await send(receiver.url, HttpSender(private=True, try_seconds=try_seconds)), receiver


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
async def test_2xx_is_success(status: int) -> None:
    attempt, receiver = await sent_to(says(status))
    assert (attempt.status_code, attempt.error, attempt.succeeded) == (status, None, True)
    (received,) = receiver.received
    assert received.target == "/callbacks?tenant=7"
    assert received.body == BODY
    assert received.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert received.headers["content-type"] == "application/json"
    assert received.headers["webhook-id"] == "msg_1"
    assert received.headers["user-agent"].startswith("Undersign/")


@pytest.mark.parametrize("status", [300, 301, 302, 304, 307, 308, 400, 404, 410, 429, 500, 503])
async def test_any_other_status_is_a_failure_and_redirects_are_not_followed(status: int) -> None:
    async with receiving(says(200)) as elsewhere:
        attempt, receiver = await sent_to(says(status, location=elsewhere.url))
        host = elsewhere.url.partition("/callbacks")[0]
        redirect = f", a redirect to {host}; redirects are not followed, use the final address"
        said = redirect if status in {301, 302, 307, 308} else ""
        assert (attempt.status_code, attempt.error) == (status, f"the receiver answered {status}{said}")
        assert (attempt.succeeded, receiver.connections, elsewhere.connections) == (False, 1, 0)


async def test_a_refused_connection_is_reported() -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        attempt = await send(f"http://127.0.0.1:{unheard.getsockname()[1]}/")
    assert (attempt.status_code, attempt.error) == (None, "the connection was refused or broke")


@pytest.mark.parametrize(
    "answer",
    [hangs, drips(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", every=0.2)],
    ids=["hangs", "drips its head"],
)
async def test_a_receiver_that_does_not_answer_in_time_is_left(answer: Answer) -> None:
    attempt, receiver = await sent_to(answer, try_seconds=2)
    assert (attempt.status_code, attempt.error) == (None, "no answer within 2 s")
    assert attempt.duration_ms < 20_000
    assert len(receiver.received) == 1


async def drips_body(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n")
    await drips(b"x" * 9000, every=0.1)(writer)


@pytest.mark.parametrize(("answer", "try_seconds"), [(drips_body, 2), (floods, 60)])
async def test_the_status_counts_however_slow_or_long_the_body_is(answer: Answer, try_seconds: float) -> None:
    attempt, _ = await sent_to(answer, try_seconds=try_seconds)
    assert attempt.succeeded
    assert attempt.duration_ms < 20_000


async def test_a_body_that_breaks_off_changes_no_status() -> None:
    ok, _ = await sent_to(sends(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf"))
    bad, _ = await sent_to(sends(b"HTTP/1.1 500 Oh\r\ncontent-length: 500\r\n\r\nhalf"))
    assert (ok.succeeded, bad.succeeded, bad.status_code) == (True, False, 500)


@pytest.mark.parametrize("data", [b"", b"no HTTP at all\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000])
async def test_an_invalid_response_is_a_failure(data: bytes) -> None:
    attempt, _ = await sent_to(sends(data))
    assert attempt.status_code is None
    assert attempt.error == "the receiver closed the connection, or its response is not HTTP"


async def test_retry_after_is_in_seconds_or_a_date_in_a_header_of_any_case() -> None:
    for header in ("retry_after", "Retry_After", "RETRY_AFTER"):
        attempt, _ = await sent_to(says(429, **{header: "120"}))
        assert attempt.retry_after == timedelta(seconds=120)
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    attempt, _ = await sent_to(says(503, retry_after=later))
    assert attempt.retry_after is not None
    assert timedelta(minutes=59) < attempt.retry_after <= timedelta(hours=1)
    for invalid in ("soon", "-5", "9" * 40, "Fri, 99 Foo 2026"):
        attempt, _ = await sent_to(says(429, retry_after=invalid))
        assert attempt.status_code == 429


# Safety


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",), ("10.0.0.1",), ("169.254.169.254",), ("100.64.0.1",), ("::1",), ("::ffff:127.0.0.1",),
        ("64:ff9b::7f00:1",), ("2002:7f00:1::1",), ("fd00:ec2::254",), ("fe80::1",), ("224.0.0.1",),
        ("8.8.8.8", "127.0.0.1"), ("2606:4700::1111", "::1"),
    ],
)  # fmt: skip
async def test_a_name_with_any_address_that_is_not_public_is_not_connected_to(addresses: tuple[str, ...]) -> None:
    async with receiving(says(200)) as receiver:
        names = Names(tuple(map(ip_address, addresses)))
        attempt = await send(f"https://hooks.example.com:{receiver.port}/", HttpSender(private=False, lookup=names))
        assert receiver.connections == 0
    assert attempt.error == "the name of the receiver has an address that is not public"


async def test_plain_http_and_private_addresses_are_refused_unless_allowed_and_metadata_always() -> None:
    names = Names((ip_address("169.254.169.254"),))
    attempt = await send("http://metadata.example.com/", HttpSender(private=True, lookup=names))
    assert attempt.error == "the name of the receiver has an address that is not public"
    async with receiving(says(200)) as receiver:
        attempt = await send(receiver.url, HttpSender(private=False))
        assert (receiver.connections, attempt.succeeded) == (0, False)
        assert "Use https" in (attempt.error or "")


async def test_a_name_is_looked_up_once_a_try_so_that_it_cannot_change_in_between() -> None:
    public_then_private = Names((ip_address("192.0.2.1"),), LOCAL)
    async with receiving(says(200)) as receiver:
        sender = HttpSender(private=True, lookup=public_then_private, try_seconds=3)
        url = f"http://rebinds.example.com:{receiver.port}/"
        first = await send(url, sender)
        assert (first.succeeded, receiver.connections, public_then_private.asked) == (False, 0, ["rebinds.example.com"])
        second = await send(url, sender)
        assert (second.succeeded, receiver.connections) == (True, 1)


async def test_a_name_without_an_address_is_reported() -> None:
    attempt = await send("http://hooks.invalid/", HttpSender(private=True, try_seconds=60))
    assert attempt.error == "the name of the receiver has no address"
    with pytest.raises(NameNotFound):
        await look_up("hooks.invalid", 443)


async def test_the_next_address_is_tried() -> None:
    async with receiving(says(200)) as receiver:
        names = Names((ip_address("127.0.0.2"), *LOCAL))
        attempt = await send(
            f"http://hooks.example.com:{receiver.port}/", HttpSender(private=True, lookup=names, try_seconds=5)
        )
    assert attempt.succeeded


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiving(says(502)) as proxy, receiving(says(200)) as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        attempt = await send(receiver.url)
        assert (attempt.succeeded, proxy.connections) == (True, 0)


# TLS


async def test_tls_uses_the_name_at_the_checked_address(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    asked_for: list[str | None] = []
    serving = authority.serving("hooks.example.com")
    serving.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    async with receiving(says(200), serving) as receiver:
        sender = HttpSender(private=True, trust=authority.trusting(), lookup=Names(LOCAL))
        attempt = await send(f"https://hooks.example.com:{receiver.port}/a", sender)
    assert attempt.succeeded, attempt.error
    assert asked_for == ["hooks.example.com"]
    assert receiver.received[0].headers["host"] == f"hooks.example.com:{receiver.port}"


@pytest.mark.parametrize(
    ("host", "ended", "trusted"),
    [("other.example.com", False, True), ("hooks.example.com", True, True), ("hooks.example.com", False, False)],
    ids=["another name", "over", "an authority nobody knows"],
)
async def test_a_bad_certificate_gets_no_callback(tmp_path: Path, host: str, ended: bool, trusted: bool) -> None:
    authority = Authority(tmp_path)
    until = datetime.now(UTC) - timedelta(hours=1) if ended else None
    trust: ssl.SSLContext | None = authority.trusting() if trusted else None
    async with receiving(says(200), authority.serving(host, until=until)) as receiver:
        sender = HttpSender(private=True, trust=trust, lookup=Names(LOCAL))
        attempt = await send(f"https://hooks.example.com:{receiver.port}/", sender)
        assert receiver.received == []
    assert attempt.status_code is None
    assert (attempt.error or "").startswith("the certificate is not valid")


async def test_a_receiver_without_tls_is_reported() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        attempt = await send(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    assert attempt.status_code is None
    assert (attempt.error or "").startswith("the receiver does not speak TLS at this port")


async def test_a_receiver_that_hangs_over_the_handshake_is_left() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        left.set()

    left = asyncio.Event()
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        attempt = await send(url, HttpSender(private=True, try_seconds=5))
        await left.wait()
    assert (attempt.status_code, attempt.error) == (None, "the receiver cannot be reached")
