"""Whether the object store can be worked with, found out before anything depends on it."""

from uuid import uuid4

import structlog

from adapters.object_store.directory import DirectoryObjectStore
from adapters.object_store.google import GoogleObjectStore
from adapters.object_store.port import ObjectMissing, ObjectStore, ObjectStoreError, StoreUnwritable

log = structlog.get_logger(__name__)

FOLDER = "checks/start/"
"""One for all starts: a bucket that lets nothing be deleted keeps one object of them, not one of each."""

_CONTENT = b"Written by a start of Undersign to see whether it can be. It may be deleted.\n"
"""The same for ever: objects are never overwritten, and a bucket may keep this one."""

_KEPT = (
    "the bucket keeps what is to be deleted (retention policy, hold), as it did with the object of this check: "
    "erasures wait, and are tried until it lets them"
)


async def check_store(store: ObjectStore) -> tuple[str, ...]:
    """Stores an object, reads it and deletes it; what an operator should know besides, a sentence each.

    Raises:
        StoreUnwritable: it can never work like this; the message says what to change.
        ObjectStoreError: the store does not answer now.
    """
    try:
        found = await _try(store, FOLDER)
    except ObjectMissing:
        # Another start has deleted it in between. So it can be deleted here, and one of our own leaves nothing behind.
        found = await _try(store, f"checks/{uuid4()}/")
    return (*found, *await store.notes()) if isinstance(store, GoogleObjectStore) else found


async def _try(store: ObjectStore, folder: str) -> tuple[str, ...]:
    reference = await store.put(f"{folder}check.txt", _CONTENT, "text/plain")
    await store.get(reference)
    try:
        await store.delete_prefix(folder)
    except StoreUnwritable:
        if isinstance(store, GoogleObjectStore) and await store.may_delete():
            return (_KEPT,)
        raise
    return ()


async def check_at_start(store: ObjectStore) -> None:
    """Logs what an operator should know. A store that does not answer yet holds up no start: it may come back.

    Raises:
        StoreUnwritable: it can never work like this.
    """
    if isinstance(store, DirectoryObjectStore):
        return  # makes what it needs
    try:
        notes = await check_store(store)
    except StoreUnwritable:
        raise
    except ObjectStoreError as error:
        log.warning("the object store does not answer yet", error=str(error))
        return
    for note in notes:
        log.warning(note)
