"""Compares this process with its installation (`domain.installation`), and creates keys for a new installation only."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.all_keys import ensure_all, files_of
from adapters.database.repositories.installation import DatabaseInstallation
from adapters.database.schema_migration import SchemaState, read_schema
from adapters.files import write_once
from adapters.keys.secret_keys import map_file_errors
from adapters.object_store.factory import open_object_store
from adapters.object_store.gcs import GcsObjectStore
from adapters.object_store.local import LocalObjectStore
from adapters.object_store.self_test import check_at_start
from domain.installation import (
    ID_FACT,
    ID_FILE,
    KEYS,
    NO_PAYLOAD_KEYS,
    STORE_ID,
    Difference,
    Fact,
    Facts,
    compare_facts,
)
from domain.ports.keys import SecretKeys
from domain.ports.object_store import ObjectStore, ObjectStoreError
from domain.shared.errors import ConfigError
from domain.shared.object_names import STORE_ID_NAME

if TYPE_CHECKING:
    from config.settings import Settings

log = structlog.get_logger(__name__)

_CHANGES_ALONE: Final = frozenset({"seal.pem"})
"""Key files whose former versions stay valid without any record of them."""

_FOLDER: Final = "folder"


ReadNamespace = Callable[[], Awaitable[str | None]]
"""Reads the namespace in Temporal; None while Temporal does not answer."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The installation that this process has joined: its keys, its objects, its schema, and what differs by now."""

    keys: SecretKeys
    objects: LocalObjectStore | GcsObjectStore
    read_schema: Callable[[], Awaitable[SchemaState]]
    find_differences: Callable[[], Awaitable[list[Difference]]]


async def join_installation(
    settings: "Settings", engine: AsyncEngine, read_namespace: ReadNamespace, lifetime: int | None = None
) -> Installation:
    """Returns the installation, with its keys. The first start creates them, and records what the installation is.

    `lifetime` is that of `check_store`. Raises `ConfigError` with a line for each difference, `StoreUnwritable`,
    `KeysUnusable` or `DatabaseUnavailable`.
    """
    record, folder, namespace = DatabaseInstallation(engine), settings.data_dir / "keys", await read_namespace()
    recorded, found = await record.read(), find_facts(settings, namespace)
    _check(recorded, found)  # before any key is created
    if ID_FACT in found and ID_FACT not in recorded:
        raise ConfigError(
            f"keys/ belongs to the installation {found[ID_FACT]}, and this database to none: check "
            "UNDERSIGN_DATABASE_URL or restore the database, or start a new one with `undersign installation accept "
            "keys`."
        )
    keys = ensure_all(folder, has_local_seal=settings.seal_key is None)
    objects = open_objects(settings, keys.download)
    await check_at_start(objects, lifetime)
    store_id = await read_store_id(objects)
    # Before anything is recorded; but another first start may have, before it stored the id.
    _check_new_store(await record.read(), store_id)
    # Of several first starts one records its facts; the others compare.
    recorded = await record.add({ID_FACT: str(uuid4()), **_known(find_facts(settings, namespace))})
    with suppress(OSError):  # it exists, or only operators may write the folder
        write_once(folder / ID_FILE, recorded[ID_FACT].encode())
    if STORE_ID not in recorded and store_id is not None:
        recorded = await _mark_store(record, objects, recorded[ID_FACT])
        store_id = await read_store_id(objects)
    _check(recorded, find_facts(settings, namespace, store_id))
    compare = partial(find_differences, settings, engine, read_namespace, objects)
    return Installation(keys, objects, partial(read_schema, engine), compare)


async def find_differences(
    settings: "Settings", engine: AsyncEngine, read_namespace: ReadNamespace, objects: ObjectStore | None
) -> list[Difference]:
    """Returns what differs between this process and its installation. Raises `KeysUnusable`, `DatabaseUnavailable`."""
    recorded = await DatabaseInstallation(engine).read()
    store_id = await read_store_id(objects) if objects else None
    return compare_facts(recorded, find_facts(settings, await read_namespace(), store_id))


def find_facts(settings: "Settings", namespace: str | None, store_id: str | None = None) -> Facts:
    """Returns the facts of this process. Creates nothing. Raises `KeysUnusable`."""
    facts = {
        Fact.PUBLIC_URL: settings.base_url,
        Fact.OBJECT_STORE: settings.object_store or _FOLDER,
        Fact.PAYLOAD_KEYS: ",".join(key.key_id for key in settings.temporal.payload_keys) or NO_PAYLOAD_KEYS,
        Fact.NAMESPACE: namespace,
        STORE_ID: store_id,
        **find_fingerprints(settings),
    }
    return {name: value for name, value in facts.items() if value is not None}


def open_objects(settings: "Settings", key: bytes = bytes(32)) -> LocalObjectStore | GcsObjectStore:
    """Returns the object store. Only the API signs download URLs with `key`. Raises `ObjectStoreError`."""
    return open_object_store(settings.object_store, settings.data_dir / "objects", key, settings.base_url)


async def read_store_id(objects: ObjectStore) -> str | None:
    """Returns the id in the store; an empty one if it is missing, None while the store does not respond."""
    try:
        reference = await objects.find(STORE_ID_NAME)
        return (await objects.get(reference)).decode() if reference else ""
    except ObjectStoreError:
        return None


def find_fingerprints(settings: "Settings") -> Facts:
    """Returns a fingerprint of each key file, and the id in `keys/`, which a folder of an earlier version lacks."""
    found, folder = {}, settings.data_dir / "keys"
    for path in files_of(folder, has_local_seal=settings.seal_key is None):
        if path.name not in _CHANGES_ALONE:
            with map_file_errors(path):
                content = path.read_bytes() if path.exists() else b""
            # The digest of a random key of 256 bits says nothing about the key.
            found[f"{KEYS}{path.relative_to(folder)}"] = sha256(content).hexdigest()[:16] if content else ""
    if (folder / ID_FILE).exists():
        found[ID_FACT] = (folder / ID_FILE).read_text("ascii")
    return found


async def _mark_store(record: DatabaseInstallation, objects: ObjectStore, installation_id: str) -> Facts:
    """Writes the id into a store that has none, and records it. Returns all recorded facts."""
    try:
        await objects.put(STORE_ID_NAME, installation_id.encode(), "text/plain")
    except ObjectStoreError as error:  # a full disk stops no process; a later start does it
        log.warning("the id of the installation could not be stored", error=str(error))
        return await record.read()
    return await record.add({STORE_ID: installation_id})


def _check_new_store(recorded: Facts, store_id: str | None) -> None:
    """Raises `ConfigError` for the store of another installation, if the installation has not recorded its own yet."""
    if store_id and STORE_ID not in recorded and store_id != recorded.get(ID_FACT):
        raise ConfigError(
            f"The object store belongs to the installation {store_id}, and this database to "
            f"{recorded.get(ID_FACT, 'none')}: set UNDERSIGN_OBJECT_STORE to another store, or move objects/ out of "
            "the data directory, or check UNDERSIGN_DATABASE_URL, or accept it with `undersign installation accept "
            "object-store`."
        )


def _known(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if value}


def _check(recorded: Facts, found: Facts) -> None:
    differences = compare_facts(recorded, found)
    if differences:
        raise ConfigError(*map(str, differences))
