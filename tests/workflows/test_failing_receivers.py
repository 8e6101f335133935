"""Receivers that fail in every way a receiver can: real tries on real sockets, on a server whose time is skipped."""

import asyncio
import ssl
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_address
from itertools import pairwise

import pytest
from temporalio.worker import Worker

from activities.interface import CALLBACKS_QUEUE
from adapters.webhooks.http_sender import HttpSender
from adapters.webhooks.ssrf_guard import Address
from domain.callbacks.retries_and_pauses import MAX_JITTER, RETRY_WAITS, CallbackLogEntry, Delivery
from domain.shared.workflow_ids import callback_id
from tests.activities.office import office
from tests.builders import ORGANISATION
from tests.fakes.certificates import Authority
from tests.fakes.receivers import Answer, drips, hangs, receiving, says, sends
from tests.workflows.post import OnServerTime
from tests.workflows.servers import time_skipping_server
from workflows.client.deliveries import TemporalDeliveries
from workflows.workflow_types import CALLBACK_WORKFLOWS

FAILURES = 2
LOCAL, NOBODY, METADATA = map(ip_address, ("127.0.0.1", "127.0.0.2", "169.254.169.254"))
OWN_ADDRESSES: dict[str, tuple[Address, ...]] = {
    "refuses": (NOBODY, NOBODY, LOCAL),
    "is-metadata": (METADATA, METADATA, LOCAL),
    "rebinds": (NOBODY, METADATA, LOCAL),
}
"""What is found under these names, one look-up after another; under all others it is `LOCAL`."""

ANSWERS: dict[str, Answer] = {
    "hangs": hangs,
    "drips": drips(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", every=0.2),
    "errs": says(500),
    "redirects": says(301, location="http://127.0.0.1:1/"),
    "asks-for-time": says(429, retry_after="7200"),
    "closes": sends(b""),
    "breaks-off": sends(b"HTTP/1.1 500 Oh\r\ncontent-length: 500\r\n\r\nhalf"),
    "has-a-long-answer": says(503, b"x" * 1_000_000),
    "speaks-no-http": sends(b"220 mail.example.com ESMTP\r\n\r\n"),
}
"""What these do before they live again."""

NO_TIME, NO_HTTP = "no answer within 3 s", "the receiver closed the connection, or what it answered is no HTTP"
CANCELLATION_IGNORED = "the connection was refused or broke"
NOT_PUBLIC = "the name of the receiver has an address that is not public"
SAID = {
    "refuses": [CANCELLATION_IGNORED] * 2,
    "is-metadata": [NOT_PUBLIC] * 2,
    "rebinds": [CANCELLATION_IGNORED, NOT_PUBLIC],
    "hangs": [NO_TIME] * 2,
    "drips": [NO_TIME] * 2,
    "errs": ["the receiver answered 500"] * 2,
    "redirects": ["the receiver answered 301"] * 2,
    "asks-for-time": ["the receiver answered 429"] * 2,
    "closes": [NO_HTTP] * 2,
    "breaks-off": ["the receiver answered 500"] * 2,
    "has-a-long-answer": ["the receiver answered 503"] * 2,
    "speaks-no-http": [NO_HTTP] * 2,
    "has-a-bad-certificate": ["the certificate is not valid"] * 2,
    "is-gone": ["the receiver answered 410"],
}
"""What the log says of the tries that failed."""


class Names:
    """Finds `OWN_ADDRESSES`, and `LOCAL` for every other name."""

    def __init__(self) -> None:
        self._left = {name: list(addresses) for name, addresses in OWN_ADDRESSES.items()}

    async def __call__(self, host: str, port: int) -> tuple[Address, ...]:
        left = self._left.get(host.split(".", maxsplit=1)[0], [LOCAL])
        return (left.pop(0) if len(left) > 1 else left[0],)


def recovering(answer: Answer) -> Answer:
    """Fails so, and then lives."""
    answers = [answer] * FAILURES

    async def answered(writer: asyncio.StreamWriter) -> None:
        await (answers.pop() if answers else says(204))(writer)

    return answered


def renewed(authority: Authority, host: str) -> ssl.SSLContext:
    """A certificate for another name, until it is replaced by the right one."""
    wrong = [authority.serving("another.example.com") for _ in range(FAILURES)]
    right = authority.serving(host)

    def choose(socket: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        socket.context = wrong.pop() if wrong else right

    first = authority.serving(host)
    first.sni_callback = choose
    return first


@pytest.fixture(scope="module")
async def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CallbackLogEntry]:
    """What the log says of a callback to each of them, when everything has ended."""
    folder = tmp_path_factory.mktemp("receivers")
    authority = Authority(folder)
    sender = HttpSender(private=True, trust=authority.trusting(), lookup=Names(), try_seconds=3)
    deliveries: list[Delivery] = []
    async with AsyncExitStack() as stack:
        made, _ = await stack.enter_async_context(office(folder, says(204)))
        for name in SAID:
            host = f"{name}.example.com"
            tls = renewed(authority, host) if name == "has-a-bad-certificate" else None
            answer = says(410) if name == "is-gone" else recovering(ANSWERS[name]) if name in ANSWERS else says(204)
            receiver = await stack.enter_async_context(receiving(answer, tls))
            url = f"{'https' if tls else 'http'}://{host}:{receiver.port}/"
            deliveries.append(await made.announce_another(name, url))
        server = await stack.enter_async_context(time_skipping_server())
        delivering = replace(made.delivering, sender=OnServerTime(sender))
        worker = Worker(
            server.client,
            task_queue=CALLBACKS_QUEUE,
            workflows=CALLBACK_WORKFLOWS,
            activities=[delivering.deliver_callback],
        )
        await stack.enter_async_context(worker)
        for delivery in deliveries:
            await TemporalDeliveries(server.client).start(delivery)
        await server.sleep(timedelta(days=1))
        for delivery in deliveries:
            await server.client.get_workflow_handle(callback_id(delivery.event_id)).result()
        found = [await made.callbacks.log(ORGANISATION, delivery.session_id) for delivery in deliveries]
        return {_name(logged): logged for (logged,) in found}


def _name(logged: CallbackLogEntry) -> str:
    return logged.receiver.split("//")[1].split(".")[0]


@pytest.mark.parametrize("name", SAID)
async def test_each_try_that_fails_is_logged_with_its_reason(logs: dict[str, CallbackLogEntry], name: str) -> None:
    errors = [attempt.error or "" for attempt in logs[name].attempts if not attempt.succeeded]
    assert len(errors) == len(SAID[name])
    assert all(error.startswith(said) for error, said in zip(errors, SAID[name], strict=True)), errors


@pytest.mark.parametrize("name", [name for name in SAID if name != "is-gone"])
async def test_a_receiver_that_lives_again_gets_its_callback_at_the_next_try(
    logs: dict[str, CallbackLogEntry], name: str
) -> None:
    attempts = logs[name].attempts
    assert [attempt.succeeded for attempt in attempts] == [False, False, True]
    assert logs[name].status == "delivered"


@pytest.mark.parametrize("name", [name for name in SAID if name not in {"is-gone", "asks-for-time"}])
async def test_tries_keep_to_the_schedule_however_a_receiver_fails(
    logs: dict[str, CallbackLogEntry], name: str
) -> None:
    times = [attempt.at for attempt in logs[name].attempts]
    for (earlier, later), planned in zip(pairwise(times), RETRY_WAITS, strict=False):
        assert planned <= later - earlier + timedelta(seconds=1)
        assert later - earlier <= planned * (1 + MAX_JITTER) + timedelta(minutes=2)


async def test_a_receiver_that_asks_for_time_gets_it(logs: dict[str, CallbackLogEntry]) -> None:
    times = [attempt.at for attempt in logs["asks-for-time"].attempts]
    assert all(later - earlier >= timedelta(hours=2) for earlier, later in pairwise(times))


async def test_a_receiver_that_is_gone_is_not_tried_again(logs: dict[str, CallbackLogEntry]) -> None:
    assert (len(logs["is-gone"].attempts), logs["is-gone"].status) == (1, "failed")
