"""A bucket that keeps versions gives up all of them."""

from collections.abc import Iterator

import pytest

from adapters.object_store.gcs import GcsObjectStore
from tests.adapters.faulty_proxy import Answered, Asked, Forward, answer, faulty_proxy, refusal
from tests.adapters.google_server import client_at

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


@pytest.fixture
def versioned() -> Versioned:
    return Versioned()


@pytest.fixture
def store(versioned: Versioned) -> Iterator[GcsObjectStore]:
    with faulty_proxy("http://127.0.0.1:1") as proxy:
        proxy.faults.append(versioned)
        client = client_at(proxy.address)
        yield GcsObjectStore(client.bucket("contracts"))
        client.close()


async def test_every_generation_is_deleted_by_its_number_and_each_object_counted_once(
    store: GcsObjectStore, versioned: Versioned
) -> None:
    assert await store.delete_prefix("one/a/") == 2
    assert versioned.deleted == [
        "one%2Fa%2F1?generation=11",
        "one%2Fa%2F1?generation=12",
        "one%2Fa%2F2?generation=13",
    ]
