"""What is found out of an object store at the start."""

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest
from google.api_core.exceptions import Forbidden
from google.auth.credentials import Signing
from google.cloud import storage

from adapters.object_store.factory import open_object_store
from adapters.object_store.gcs import GcsObjectStore, _notes
from adapters.object_store.local import LocalObjectStore
from adapters.object_store.self_test import FOLDER, check_at_start, check_store
from domain.ports.object_store import ObjectStore, StoreUnwritable
from domain.shared.object_names import ObjectReference
from tests.adapters.faulty_proxy import Answered, Asked, FaultyProxy, Forward, answer
from tests.adapters.google_server import client_at
from tests.fakes.object_store import MemoryObjectStore


def grant(proxy: FaultyProxy, *permissions: str) -> None:
    """Has the bucket bucket `proxy` say that the account has these permissions."""

    def fault(asked: Asked, _: Forward) -> Answered | None:
        return answer({"permissions": permissions}) if "/iam/testPermissions" in asked.path else None

    proxy.faults.append(fault)


def objects_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_check_leaves_nothing_bucket(tmp_path: Path, client: storage.Client) -> None:
    bucket, memory = client.create_bucket(f"bucket-{uuid4()}"), MemoryObjectStore()
    stores: list[ObjectStore] = [
        memory,
        GcsObjectStore(bucket),
        LocalObjectStore(tmp_path, b"k" * 32, "http://127.0.0.1:1"),
    ]

    for store in stores:
        await check_store(store)

    assert memory.objects == {}
    assert list(bucket.list_blobs()) == []
    assert objects_in(tmp_path) == []


async def test_a_missing_bucket_is_reported(client: storage.Client) -> None:
    with pytest.raises(StoreUnwritable, match=r"gs://contracts does not exist.*UNDERSIGN_OBJECT_STORE"):
        await check_at_start(GcsObjectStore(client.bucket("contracts")))


async def test_a_missing_role_is_named(client: storage.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Forbidden("signer does not have storage.objects.create access")  # type: ignore[no-untyped-call]

    monkeypatch.setattr(storage.Blob, "upload_from_string", refuse)
    with pytest.raises(StoreUnwritable, match=r"gs://contracts.*roles/storage\.objectAdmin"):
        await check_at_start(GcsObjectStore(client.bucket("contracts")))


@pytest.mark.parametrize("has_known_roles", [True, False])
async def test_a_bucket_with_retention_keeps_one_object(
    proxy: FaultyProxy, bucket: storage.Bucket, capsys: pytest.CaptureFixture[str], has_known_roles: bool
) -> None:
    proxy.refuse("DELETE", "/o/", 403)
    if not has_known_roles:
        proxy.refuse("GET", "/iam/testPermissions", 403)
    grant(proxy, "storage.objects.delete", "storage.objects.list")

    for _ in range(3):
        await check_at_start(GcsObjectStore(bucket))

    assert [blob.name for blob in bucket.list_blobs()] == [f"{FOLDER}check.txt"]
    assert "keeps what is to be deleted (retention policy, hold)" in capsys.readouterr().out


async def test_a_missing_role_to_delete_is_named(proxy: FaultyProxy, bucket: storage.Bucket) -> None:
    proxy.refuse("DELETE", "/o/", 403)
    grant(proxy, "storage.objects.list")
    with pytest.raises(StoreUnwritable, match=r"roles/storage\.objectAdmin"):
        await check_at_start(GcsObjectStore(bucket))


async def test_starts_at_once_do_not_disturb_each_other(client: storage.Client) -> None:
    bucket = client.create_bucket(f"bucket-{uuid4()}")
    await asyncio.gather(*(check_store(GcsObjectStore(bucket)) for _ in range(8)))
    assert list(bucket.list_blobs()) == []


async def test_concurrent_starts_use_other_objects() -> None:
    class Shared(MemoryObjectStore):
        async def get(self, reference: ObjectReference) -> bytes:
            if reference.name.startswith(FOLDER):
                self.objects.pop(reference.name)
            return await super().get(reference)

    store = Shared()
    assert await check_store(store) == ()
    assert store.objects == {}


async def test_a_store_that_does_not_answer_holds_up_no_start(capsys: pytest.CaptureFixture[str]) -> None:
    bucket = client_at("http://127.0.0.1:1").bucket("contracts")

    class Down(GcsObjectStore):
        """Gives up at once, where the library would try for a while."""

        async def put(self, name: str, content: bytes, content_type: str) -> None:  # type: ignore[override]
            await self._call(lambda: bucket.reload(retry=None))

    await check_at_start(Down(bucket))

    assert "the object store does not respond" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"softDeletePolicy": {"retentionDurationSeconds": "604800"}}, "7 days more (soft delete)"),
        ({"retentionPolicy": {"retentionPeriod": "86400"}}, "for 1 days (retention policy)"),
        ({"defaultEventBasedHold": True}, "holds every new object"),
        ({}, None),
    ],
)
def test_settings_that_delay_erasures_are_noted(
    client: storage.Client, settings: dict[str, object], said: str | None
) -> None:
    bucket = client.bucket("contracts")
    bucket._set_properties({"name": "contracts", **settings})
    notes = list(_notes(bucket))
    assert notes == [] if said is None else said in notes[0]


@pytest.mark.usefixtures("key_file")
async def test_a_bucket_is_opened_with_a_key_file_and_signs_with_it(
    tmp_path: Path,
    storage_server: str,
    bucket: storage.Bucket,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", storage_server)
    store = open_object_store(f"gs://{bucket.name}", tmp_path / "none", b"", "")

    await check_at_start(store, lifetime=300)

    assert "signed address" not in capsys.readouterr().out
    assert not (tmp_path / "none").exists()


class Signs(Signing):
    """Signs with nothing that anybody would know, or is refused a signature."""

    signer_email, signer = "signer@example.com", None

    def __init__(self, refused: StoreUnwritable | None = None) -> None:
        self._refused = refused

    def sign_bytes(self, message: bytes) -> bytes:
        if self._refused:
            raise self._refused
        return message


async def test_a_start_downloads_by_a_signed_url(proxy: FaultyProxy, bucket: storage.Bucket) -> None:
    notes = await check_store(GcsObjectStore(bucket, Signs()), lifetime=300)

    [fetched] = [asked for asked in proxy.asked if "X-Goog-Signature" in asked.path]
    assert "X-Goog-Expires=300" in fetched.path
    assert "signed address" not in " ".join(notes)
    assert list(bucket.list_blobs()) == []
    proxy.refuse("GET", "X-Goog-Signature", 403)

    notes = await check_store(GcsObjectStore(bucket, Signs()), lifetime=300)

    assert "nothing could be downloaded from here by a signed address (HTTP 403)" in " ".join(notes)


async def test_a_start_that_cannot_sign_stores_nothing_and_ends(bucket: storage.Bucket) -> None:
    store = GcsObjectStore(bucket, Signs(StoreUnwritable("give it the role")))

    with pytest.raises(StoreUnwritable, match="give it the role"):
        await check_at_start(store, lifetime=300)
    assert list(bucket.list_blobs()) == []
    await check_at_start(store)  # without downloads it needs no signature


async def test_unreadable_settings_are_noted_with_the_role(proxy: FaultyProxy, bucket: storage.Bucket) -> None:
    proxy.refuse("GET", f"/b/{bucket.name}?projection", 403)
    [note] = await check_store(GcsObjectStore(bucket))
    assert "roles/storage.legacyBucketReader" in note
