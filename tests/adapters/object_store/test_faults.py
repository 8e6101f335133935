"""A bucket that fails for a moment, or does not, and bytes that change on their way."""

import asyncio
import base64
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from uuid import uuid4

import google_crc32c
import pytest

from adapters.object_store.gcs import RETRY, GcsObjectStore
from domain.shared.object_names import make_reference
from ports.object_store import ObjectStoreError
from tests.adapters.faulty_proxy import Answered, Asked, FaultyProxy, Forward, faulty_proxy, refusal
from tests.adapters.google_server import client_at

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
"""The library leaves the answers between its tries to the garbage collector."""

IMPATIENT = RETRY.with_delay(initial=0.01, maximum=0.01).with_timeout(2)
STORED = make_reference("one/sessions/two", b"content")

Act = Callable[[GcsObjectStore], Awaitable[object]]

REQUESTS: dict[str, tuple[str, str, Act]] = {
    "upload": ("POST", "/upload/", lambda store: store.put("one/sessions/three", b"content", "text/plain")),
    "read": ("GET", "alt=media", lambda store: store.get(STORED)),
    "list": ("GET", "/o?", lambda store: store.delete_prefix("one/sessions/")),
    "delete": ("DELETE", "/o/", lambda store: store.delete_prefix("one/sessions/")),
}
"""By which method, at which paths, a request is made, and by which act."""


@pytest.fixture
def proxy(storage_server: str) -> Iterator[FaultyProxy]:
    with faulty_proxy(storage_server) as proxy:
        yield proxy


@pytest.fixture
async def store(proxy: FaultyProxy) -> AsyncIterator[GcsObjectStore]:
    """A bucket behind the proxy, with one object."""
    client = client_at(proxy.address)
    store = GcsObjectStore(client.create_bucket(f"bucket-{uuid4()}"), retry=IMPATIENT)
    await store.put(STORED.name, b"content", "text/plain")
    yield store
    client.close()
    gc.collect()


@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_request_that_fails_for_a_moment_is_made_again(
    proxy: FaultyProxy, store: GcsObjectStore, request_: str
) -> None:
    method, part, act = REQUESTS[request_]
    proxy.refuse(method, part, 503, times=2)
    before = len(proxy.asked)

    await act(store)

    made = [asked for asked in proxy.asked[before:] if asked.method == method and part in asked.path]
    assert len(made) == 3


@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_request_that_fails_for_long_is_given_up_in_its_time(
    proxy: FaultyProxy, store: GcsObjectStore, request_: str
) -> None:
    method, part, act = REQUESTS[request_]
    proxy.refuse(method, part, 503)

    async with asyncio.timeout(10):  # the library's own time is two minutes
        with pytest.raises(ObjectStoreError, match="does not answer as it should"):
            await act(store)


async def test_what_changed_on_its_way_from_the_bucket_is_refused(proxy: FaultyProxy, store: GcsObjectStore) -> None:
    def spoil(asked: Asked, forward: Forward) -> Answered | None:
        if "alt=media" not in asked.path:
            return None
        answered = forward(asked)
        return replace(answered, body=answered.body.upper())

    proxy.faults.append(spoil)

    with pytest.raises(ObjectStoreError, match="does not match its checksum"):
        await store.find(STORED.name)


async def test_what_changed_on_its_way_to_the_bucket_is_refused_there(
    proxy: FaultyProxy, store: GcsObjectStore
) -> None:
    def spoil(asked: Asked, forward: Forward) -> Answered | None:
        if "/upload/" not in asked.path:
            return None
        spoilt = replace(asked, body=asked.body.replace(b"content that", b"CONTENT that"))
        assert spoilt.body != asked.body
        return forward(spoilt) if is_whole(spoilt) else refusal(400)

    proxy.faults.append(spoil)
    with pytest.raises(ObjectStoreError):
        await store.put("one/sessions/three", b"content that is long", "text/plain")

    proxy.faults.clear()
    assert await store.find("one/sessions/three") is None


def is_whole(upload: Asked) -> bool:
    """Whether Google would take it: a server of tests checks no sums. Without a sum it takes anything."""
    said = b"content-type: " + upload.headers["content-type"].encode() + b"\r\n\r\n" + upload.body
    about, content = message_from_bytes(said).get_payload()
    assert isinstance(about, Message)
    assert isinstance(content, Message)
    wanted = json.loads(bytes_of(about)).get("crc32c")
    return wanted in (None, base64.b64encode(google_crc32c.Checksum(bytes_of(content)).digest()).decode())


def bytes_of(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content
