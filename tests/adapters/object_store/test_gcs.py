"""A bucket that fails, damages content, keeps versions or does not answer."""

import asyncio
import base64
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from threading import Event, Lock

import google_crc32c
import pytest
from google.cloud import storage

from adapters.object_store.factory import open_object_store
from adapters.object_store.gcs import CALLS_AT_ONCE, RETRY, GcsObjectStore
from domain.ports.object_store import ObjectStore, ObjectStoreError
from domain.shared.object_names import make_reference
from tests.adapters.faulty_proxy import Answered, Asked, FaultyProxy, Forward, answer, faulty_proxy, refusal
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
async def store(bucket: storage.Bucket) -> AsyncIterator[GcsObjectStore]:
    """A bucket behind the proxy, with one object."""
    store = GcsObjectStore(bucket, retry=IMPATIENT)
    await store.put(STORED.name, b"content", "text/plain")
    yield store
    gc.collect()


@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_request_that_fails_briefly_is_retried(
    proxy: FaultyProxy, store: GcsObjectStore, request_: str
) -> None:
    method, part, act = REQUESTS[request_]
    proxy.refuse(method, part, 503, times=2)
    before = len(proxy.asked)

    await act(store)

    requests = [asked for asked in proxy.asked[before:] if asked.method == method and part in asked.path]
    assert len(requests) == 3


@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_request_that_keeps_failing_ends_in_time(
    proxy: FaultyProxy, store: GcsObjectStore, request_: str
) -> None:
    method, part, act = REQUESTS[request_]
    proxy.refuse(method, part, 503)

    async with asyncio.timeout(10):  # the library's own time is two minutes
        with pytest.raises(ObjectStoreError, match="does not answer as it should"):
            await act(store)


async def test_a_damaged_download_is_refused(proxy: FaultyProxy, store: GcsObjectStore) -> None:
    def spoil(asked: Asked, forward: Forward) -> Answered | None:
        if "alt=media" not in asked.path:
            return None
        answered = forward(asked)
        return replace(answered, body=answered.body.upper())

    proxy.faults.append(spoil)

    with pytest.raises(ObjectStoreError, match="does not match its checksum"):
        await store.find(STORED.name)


async def test_a_damaged_upload_is_refused(proxy: FaultyProxy, store: GcsObjectStore) -> None:
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
    message = b"content-type: " + upload.headers["content-type"].encode() + b"\r\n\r\n" + upload.body
    about, content = message_from_bytes(message).get_payload()
    assert isinstance(about, Message)
    assert isinstance(content, Message)
    checksum = json.loads(bytes_of(about)).get("crc32c")
    return checksum in (None, base64.b64encode(google_crc32c.Checksum(bytes_of(content)).digest()).decode())


def bytes_of(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


NEWEST, ALL = [("one/a/1", 12)], [("one/a/1", 11), ("one/a/1", 12), ("one/a/2", 13)]
"""Names and generations below `one/a/`, as they are listed without and with `versions`; one/a/2 was deleted before."""


class Versioned:
    """Lists them, and keeps the addresses that are deleted; of one/a/2 another one has just deleted what there was."""

    def __init__(self) -> None:
        self.deleted: list[str] = []

    def __call__(self, asked: Asked, forward: Forward) -> Answered:
        del forward
        if asked.method == "DELETE":
            self.deleted.append(asked.path.partition("/o/")[2].partition("&prettyPrint")[0])
            return refusal(404) if "2F2?" in asked.path else Answered(204, {}, b"")
        assert "prefix=one%2Fa%2F" in asked.path
        listed = ALL if "versions=True" in asked.path else NEWEST
        return answer({"items": [{"name": name, "generation": str(generation)} for name, generation in listed]})


async def test_every_generation_is_deleted_by_its_number_and_each_object_counted_once() -> None:
    versioned = Versioned()
    with faulty_proxy("http://127.0.0.1:1") as proxy:
        proxy.faults.append(versioned)
        client = client_at(proxy.address)
        assert await GcsObjectStore(client.bucket("contracts")).delete_prefix("one/a/") == 2
        client.close()
    assert versioned.deleted == [
        f"one%2Fa%2F{object_}" for object_ in ("1?generation=11", "1?generation=12", "2?generation=13")
    ]


class Silence:
    """Answers nobody until it is broken; `is_full` once as many wait as may call at once."""

    def __init__(self) -> None:
        self.is_full, self.is_broken = Event(), Event()
        self._waiting, self._lock = 0, Lock()

    def __call__(self, asked: Asked, forward: Forward) -> Answered:
        del asked, forward
        with self._lock:
            self._waiting += 1
            if self._waiting == CALLS_AT_ONCE:
                self.is_full.set()
        self.is_broken.wait()
        return answer({})  # a list of nothing


async def all_at_once(proxy: FaultyProxy, store: ObjectStore) -> None:
    """As many calls as may be at once; while they wait for the bucket, other threads must be had at once."""
    silence = Silence()
    proxy.faults[:] = [silence]
    calls = [asyncio.create_task(store.delete_prefix("one/")) for _ in range(CALLS_AT_ONCE)]
    try:
        async with asyncio.timeout(20):
            assert await asyncio.to_thread(silence.is_full.wait, 15)
    finally:
        silence.is_broken.set()
    assert await asyncio.gather(*calls) == [0] * CALLS_AT_ONCE


@pytest.mark.usefixtures("key_file")
async def test_a_silent_bucket_blocks_no_other_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with faulty_proxy("http://127.0.0.1:1") as silent:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", silent.address)
        store = open_object_store("gs://contracts", tmp_path, b"", "")
        assert isinstance(store, GcsObjectStore)
        for _ in range(3):
            await all_at_once(silent, store)
        assert silent.connections < 1.5 * CALLS_AT_ONCE  # a few are lost in races; ten kept would make 2.5
