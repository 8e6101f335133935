"""Whether the object store can be worked with, found out before anything depends on it."""

from uuid import uuid4

import structlog

from adapters.object_store.directory import DirectoryObjectStore
from adapters.object_store.google import GoogleObjectStore
from adapters.object_store.port import ObjectStore, ObjectStoreError, StoreUnwritable

log = structlog.get_logger(__name__)

_CONTENT = b"Written by a start of Undersign to see whether it can be; it is deleted at once.\n"


async def check_store(store: ObjectStore) -> tuple[str, ...]:
    """Stores an object, reads it and deletes it; what an operator should know besides, a sentence each.

    Raises:
        StoreUnwritable: it can never work like this; the message says what to change.
        ObjectStoreError: the store does not answer now.
    """
    folder = f"checks/{uuid4()}/"
    reference = await store.put(f"{folder}check.txt", _CONTENT, "text/plain")
    await store.get(reference)
    await store.delete_prefix(folder)
    return await store.notes() if isinstance(store, GoogleObjectStore) else ()


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
