"""What every object store promises, on the fake, on a directory and on a real storage server."""

import asyncio
import resource
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
from google.cloud import storage

from adapters.object_store.factory import open_object_store
from adapters.object_store.gcs import GcsObjectStore
from adapters.object_store.local import LocalObjectStore
from domain.ports.object_store import (
    Download,
    DownloadNotValid,
    DownloadOrigin,
    ObjectConflict,
    ObjectDamaged,
    ObjectMissing,
    ObjectStore,
    StoreUnwritable,
)
from domain.shared.file_names import attachment
from domain.shared.ids import ClientId, OrganisationId
from domain.shared.object_names import make_reference
from tests.adapters.google_accounts import new_account
from tests.fakes.object_store import MemoryObjectStore

PDF = "application/pdf"
NAME = "organisations/one/sessions/two/files/three/sent.pdf"
AS_PDF = Download(file_name="Verträge & more.pdf", content_type=PDF, lifetime=300)


_signing = cache(lambda: new_account().credentials())


@pytest.fixture(params=["memory", "directory", pytest.param("google", marks=pytest.mark.storage)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ObjectStore]:
    if request.param == "memory":
        yield MemoryObjectStore()
    elif request.param == "directory":
        yield LocalObjectStore(tmp_path / "objects", b"k" * 32, "http://127.0.0.1:1")
    else:
        bucket = request.getfixturevalue("client").create_bucket(f"bucket-{uuid4()}")
        yield GcsObjectStore(bucket, _signing())


async def follow(store: ObjectStore, url: str) -> tuple[bytes, str, str]:
    """What is downloaded from an address: its content, type and disposition."""
    if isinstance(store, MemoryObjectStore):
        reference, how = store.downloads[url]
        return await store.get(reference), how.content_type, attachment(how.file_name)
    if isinstance(store, LocalObjectStore):
        content, how = await store.read_signed(url.rpartition("/")[2])
        return content, how.content_type, attachment(how.file_name)
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = (await http.get(url)).raise_for_status()
    query = parse_qs(urlsplit(url).query)  # which the server of tests leaves unread, and Google answers with
    return answer.content, query["response-content-type"][0], query["response-content-disposition"][0]


async def test_a_stored_object_is_found_and_read(store: ObjectStore) -> None:
    reference = await store.put(NAME, b"content", PDF)
    assert reference == make_reference(NAME, b"content")
    assert await store.find(NAME) == reference
    assert await store.get(reference) == b"content"


async def test_the_same_bytes_again_change_nothing_and_others_are_refused(store: ObjectStore) -> None:
    reference = await store.put(NAME, b"content", PDF)
    assert await store.put(NAME, b"content", PDF) == reference
    with pytest.raises(ObjectConflict):
        await store.put(NAME, b"another content", PDF)
    assert await store.get(reference) == b"content"


async def test_of_parallel_writers_with_other_bytes_one_wins(store: ObjectStore) -> None:
    contents = [f"content {number}".encode() for number in range(4)]
    outcomes = await asyncio.gather(*(store.put(NAME, content, PDF) for content in contents), return_exceptions=True)
    winners = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert len(winners) == 1
    assert await store.find(NAME) == winners[0]


async def test_a_large_object_is_read_completely(store: ObjectStore) -> None:
    content = bytes(range(256)) * 36_000  # more than Google takes in one request
    assert await store.get(await store.put(NAME, content, PDF)) == content


async def test_a_download_comes_under_its_name_and_as_its_type_whatever_it_was_stored_as(store: ObjectStore) -> None:
    reference = await store.put(NAME, b"content", "text/html")

    content, content_type, disposition = await follow(store, await store.signed_url(reference, AS_PDF))

    assert (content, content_type) == (b"content", PDF)
    assert disposition.startswith('attachment; filename="Vertr_ge & more.pdf"; ')
    assert disposition.endswith("; filename*=UTF-8''Vertr%C3%A4ge%20%26%20more.pdf")


async def test_each_address_hands_out_its_own_object(store: ObjectStore) -> None:
    one, two = await store.put(NAME, b"one", PDF), await store.put(f"{NAME}.2", b"two", PDF)
    addresses = [await store.signed_url(reference, AS_PDF) for reference in (one, two)]
    assert [(await follow(store, address))[0] for address in addresses] == [b"one", b"two"]


async def test_a_bucket_stores_the_type_of_an_object(bucket: storage.Bucket) -> None:
    await GcsObjectStore(bucket).put(NAME, b"content", PDF)
    assert bucket.get_blob(NAME).content_type == PDF


async def test_an_object_is_missing_or_damaged_if_it_differs_from_its_reference(store: ObjectStore) -> None:
    other = make_reference(NAME, b"CONTENT")
    assert await store.find(NAME) is None
    with pytest.raises(ObjectMissing):
        await store.get(other)
    await store.put(NAME, b"content", PDF)
    with pytest.raises(ObjectDamaged):
        await store.get(other)


async def test_a_prefix_is_deleted_with_all_below_it_and_nothing_else(store: ObjectStore) -> None:
    gone = [await store.put(f"one/sessions/a/{name}", b"x", PDF) for name in ("1", "files/2", "files/3")]
    kept = await store.put("one/sessions/ab/1", b"x", PDF)
    assert await store.delete_prefix("one/sessions/a/") == len(gone)
    assert await store.delete_prefix("one/sessions/a/") == 0
    assert await store.find(gone[0].name) is None
    assert await store.get(kept) == b"x"


async def test_a_prefix_that_is_deleted_twice_at_once_is_gone(store: ObjectStore) -> None:
    gone = [await store.put(f"one/sessions/a/{number}/{number}", b"x", PDF) for number in range(20)]
    await asyncio.gather(*(store.delete_prefix("one/sessions/a/") for _ in range(4)))
    assert [await store.find(reference.name) for reference in gone] == [None] * len(gone)


async def test_a_folder_of_objects_is_no_object(store: ObjectStore) -> None:
    reference = await store.put(NAME, b"content", PDF)
    folder = NAME.rpartition("/")[0]
    assert await store.find(folder) is None
    with pytest.raises(ObjectMissing):
        await store.get(reference.model_copy(update={"name": folder}))


@pytest.mark.parametrize("name", ["", "/etc/passwd", "one/../two", "one//two", "one/.hidden", "one/two\n", "o ne"])
async def test_names_that_mean_more_than_themselves_are_refused(store: ObjectStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the name"):
        await store.put(name, b"x", PDF)


@pytest.mark.parametrize("prefix", ["/", "", "one", "../"])
async def test_a_prefix_that_is_no_folder_deletes_nothing(store: ObjectStore, prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        await store.delete_prefix(prefix)


def directory(tmp_path: Path) -> LocalObjectStore:
    return LocalObjectStore(tmp_path / "objects", b"k" * 32, "https://sign.example.com")


async def token_of(store: LocalObjectStore, download: Download) -> str:
    url = await store.signed_url(await store.put(NAME, b"content", PDF), download)
    assert url.startswith("https://sign.example.com/objects/")
    return url.rpartition("/")[2]


async def test_a_signed_url_is_valid_until_it_expires_or_the_object_is_deleted(tmp_path: Path) -> None:
    store = directory(tmp_path)
    other = LocalObjectStore(tmp_path / "objects", b"l" * 32, "https://sign.example.com")
    of_client = replace(AS_PDF, origin=DownloadOrigin(OrganisationId("one"), ClientId("client"), 3))
    token = await token_of(store, AS_PDF)
    assert await store.read_signed(await token_of(store, of_client)) == (b"content", of_client)
    expired = await token_of(store, Download("a.pdf", PDF, lifetime=-1))
    for invalid in (token[:-1], "x" + token, "", await token_of(other, AS_PDF), expired):
        with pytest.raises(DownloadNotValid):
            await store.read_signed(invalid)
    assert await store.read_signed(token) == (b"content", AS_PDF)
    await store.delete_prefix("organisations/one/")
    with pytest.raises(DownloadNotValid):
        await store.read_signed(token)


async def test_an_unwritable_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "objects").write_text("a file where the folder should be")
    with pytest.raises(StoreUnwritable):
        await directory(tmp_path).put(NAME, b"content", PDF)


async def test_a_full_disk_is_reported_and_keeps_nothing(tmp_path: Path) -> None:
    store = directory(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(StoreUnwritable, match=NAME):
            await store.put(NAME, bytes(200_000), PDF)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path for path in (tmp_path / "objects").rglob("*") if path.is_file()] == []
    assert await store.put(NAME, b"content", PDF) == await store.find(NAME)


async def test_a_half_written_file_of_a_crash_is_no_object(tmp_path: Path) -> None:
    store = directory(tmp_path)
    folder = (tmp_path / "objects" / NAME).parent
    folder.mkdir(parents=True)
    (folder / ".new-crashed").write_bytes(b"con")
    assert await store.find(NAME) is None
    await store.put(NAME, b"content", PDF)
    assert await store.delete_prefix("organisations/one/") == 1
    assert not folder.exists()


def test_missing_credentials_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with pytest.raises(StoreUnwritable, match=r"gs://contracts.*GOOGLE_APPLICATION_CREDENTIALS"):
        open_object_store("gs://contracts", tmp_path, b"", "")
