"""A bucket that keeps versions gives up all of them."""

from collections.abc import Iterator
from typing import Any

from google.api_core.exceptions import NotFound

from adapters.object_store.google import GoogleObjectStore


class Version:
    """One generation of an object; `is_gone` once somebody has deleted it."""

    def __init__(self, name: str, generation: int, *, is_gone: bool = False) -> None:
        self.name, self.generation, self.is_gone = name, generation, is_gone

    def delete(self, **_: object) -> None:
        if self.is_gone:
            raise NotFound("No such object")  # type: ignore[no-untyped-call]
        self.is_gone = True


class Bucket:
    """Lists its versions to those who ask for versions, and nothing that was archived to others."""

    name = "contracts"

    def __init__(self, *versions: Version) -> None:
        self.versions = versions

    def list_blobs(self, prefix: str, versions: bool = False, **_: Any) -> Iterator[Version]:
        newest = {version.name: version for version in self.versions}
        return (v for v in self.versions if v.name.startswith(prefix) and (versions or newest[v.name] is v))


async def test_every_generation_is_deleted_and_each_object_counted_once() -> None:
    below = [Version("one/a/1", 1), Version("one/a/1", 2), Version("one/a/2", 1, is_gone=True)]
    beside = Version("one/ab/1", 1)

    count = await GoogleObjectStore(Bucket(*below, beside)).delete_prefix("one/a/")

    assert count == 2
    assert [version.is_gone for version in [*below, beside]] == [True, True, True, False]
