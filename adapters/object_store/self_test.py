"""The self-test of the object store, which runs at the start."""

from http import HTTPStatus
from uuid import uuid4

import httpx
import structlog

from adapters.object_store.gcs import GcsObjectStore
from adapters.object_store.local import LocalObjectStore
from domain.ports.object_store import ObjectMissing, ObjectStore, ObjectStoreError, StoreUnwritable
from domain.shared.object_names import make_reference

log = structlog.get_logger(__name__)

FOLDER = "check/"
"""The folder of the test object. All starts share it, so that a bucket that forbids deletion keeps one object in
total."""

_CONTENT = b"Written by a start of Undersign to see whether it can be. It may be deleted.\n"
"""The content is constant, because a bucket may keep the object, and objects are never overwritten."""

_KEPT = (
    "the bucket keeps what is to be deleted (retention policy, hold), as it did with the object of this check: "
    "erasures wait, and are retried until the bucket allows them"
)

_NO_DOWNLOAD = (
    "nothing could be downloaded from here by a signed address ({}): look at the clock of this machine, and at what "
    "lies between it and the bucket; recipients may be unable to download either"
)

_FETCH_SECONDS = 10.0


async def check_store(store: ObjectStore, lifetime: int | None = None) -> tuple[str, ...]:
    """Stores, reads and deletes an object. Returns advice for operators, one sentence each.

    With `lifetime` (seconds) it also downloads the object by a signed URL, if the store is a bucket. Raises
    `StoreUnwritable` or `ObjectStoreError`.
    """
    try:
        found = await _try(store, FOLDER, lifetime)
    except ObjectMissing:
        # A concurrent start has deleted it. So objects can be deleted, and a folder of its own leaves nothing behind.
        found = await _try(store, f"check-{uuid4()}/", lifetime)
    return (*found, *await store.notes()) if isinstance(store, GcsObjectStore) else found


async def _try(store: ObjectStore, folder: str, lifetime: int | None) -> tuple[str, ...]:
    name, notes, address = f"{folder}check.txt", [], None
    if lifetime is not None and isinstance(store, GcsObjectStore):
        address = await store.sign_trial(make_reference(name, _CONTENT), lifetime)
    await store.get(await store.put(name, _CONTENT, "text/plain"))
    if address is not None and (hindrance := await _fetch(address)):
        notes.append(_NO_DOWNLOAD.format(hindrance))
    try:
        await store.delete_prefix(folder)
    except StoreUnwritable:
        if not isinstance(store, GcsObjectStore) or not await store.may_delete():
            raise
        notes.append(_KEPT)
    return tuple(notes)


async def _fetch(address: str) -> str | None:
    """Returns why the object cannot be downloaded from that URL; None if it can. Raises `ObjectMissing`."""
    try:
        async with httpx.AsyncClient(timeout=_FETCH_SECONDS) as http:
            response = await http.get(address)
    except httpx.HTTPError as error:
        return type(error).__name__
    if response.status_code == HTTPStatus.NOT_FOUND:
        raise ObjectMissing
    return None if response.content == _CONTENT else f"HTTP {response.status_code}"


async def check_at_start(store: ObjectStore, lifetime: int | None = None) -> None:
    """Logs the advice of `check_store`, or that the store does not respond. Raises `StoreUnwritable`."""
    if isinstance(store, LocalObjectStore):
        return  # a local store creates its folders
    try:
        notes = await check_store(store, lifetime)
    except StoreUnwritable:
        raise
    except ObjectStoreError as error:
        log.warning("the object store does not respond", error=str(error))
        return
    for note in notes:
        log.warning(note)
