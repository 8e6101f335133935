"""A bucket that takes connections and does not answer, and many calls at once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Lock

import pytest

from adapters.object_store.factory import open_object_store
from adapters.object_store.gcs import CALLS_AT_ONCE, GcsObjectStore
from ports.object_store import ObjectStore
from tests.adapters.faulty_proxy import Answered, Asked, FaultyProxy, Forward, answer, faulty_proxy
from tests.adapters.google_accounts import new_account, token_server


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


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyProxy]:
    """A bucket in which there is nothing, at which `store` looks."""
    with faulty_proxy("http://127.0.0.1:1") as proxy, token_server() as tokens:
        key_file = tmp_path / "key.json"
        key_file.write_text(json.dumps(new_account(tokens).key_file()), encoding="utf-8")
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(key_file))
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", proxy.address)
        yield proxy


@pytest.fixture
def store(bucket: FaultyProxy, tmp_path: Path) -> ObjectStore:
    del bucket  # the environment leads there
    return open_object_store("gs://contracts", tmp_path, b"", "")


async def all_at_once(bucket: FaultyProxy, store: ObjectStore) -> None:
    """As many calls as may be at once; while they wait for the bucket, other threads must be had at once."""
    silence = Silence()
    bucket.faults[:] = [silence]
    calls = [asyncio.create_task(store.delete_prefix("one/")) for _ in range(CALLS_AT_ONCE)]
    try:
        async with asyncio.timeout(20):
            assert await asyncio.to_thread(silence.is_full.wait, 15)
    finally:
        silence.is_broken.set()
    assert await asyncio.gather(*calls) == [0] * CALLS_AT_ONCE


async def test_a_bucket_that_does_not_answer_holds_up_nobody_else(bucket: FaultyProxy, store: ObjectStore) -> None:
    assert isinstance(store, GcsObjectStore)
    await all_at_once(bucket, store)


async def test_connections_are_kept_for_as_many_calls_as_may_be_at_once(
    bucket: FaultyProxy, store: ObjectStore
) -> None:
    for _ in range(3):
        await all_at_once(bucket, store)

    assert bucket.connections < 1.5 * CALLS_AT_ONCE  # a few are lost in the race for them; ten kept would make 2.5
