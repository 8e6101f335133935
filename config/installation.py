"""Compares this process with its installation (`domain.installation`), and creates keys for a new installation only."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.installation import DatabaseInstallation
from adapters.database.schema_migration import SchemaState, read_schema
from adapters.files import write_once
from adapters.keys.all_keys import ensure_all, files_of
from adapters.keys.secret_keys import map_file_errors
from domain.installation import KEYS, NO_PAYLOAD_KEYS, Difference, Fact, Facts, compare_facts
from domain.shared.errors import ConfigError
from ports.keys import SecretKeys

if TYPE_CHECKING:
    from settings import Settings

ID_FILE: Final = "id"
"""The file in `keys/` with the id of the installation. It tells that a database and keys belong together."""

ID_FACT: Final = f"{KEYS}{ID_FILE}"

_CHANGES_ALONE: Final = frozenset({"seal.pem"})
"""Key files whose former versions stay valid without any record of them."""

_FOLDER: Final = "folder"


ReadNamespace = Callable[[], Awaitable[str | None]]
"""Reads the namespace in Temporal; None while Temporal does not answer."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The installation that this process has joined: its keys, its schema, and what has come to differ since."""

    keys: SecretKeys
    read_schema: Callable[[], Awaitable[SchemaState]]
    find_differences: Callable[[], Awaitable[list[Difference]]]


async def join_installation(settings: "Settings", engine: AsyncEngine, read_namespace: ReadNamespace) -> Installation:
    """Returns the installation, with its keys. The first start creates them, and records what the installation is.

    Raises `ConfigError` with a line for each difference, `KeysUnusable` or `DatabaseUnavailable`.
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
    # Of several first starts one records its facts; the others compare.
    recorded = await record.add({ID_FACT: str(uuid4()), **_known(find_facts(settings, namespace))})
    with suppress(OSError):  # it exists, or only operators may write the folder
        write_once(folder / ID_FILE, recorded[ID_FACT].encode())
    _check(recorded, find_facts(settings, namespace))
    return Installation(keys, partial(read_schema, engine), partial(find_differences, settings, engine, read_namespace))


async def find_differences(
    settings: "Settings", engine: AsyncEngine, read_namespace: ReadNamespace
) -> list[Difference]:
    """Returns what differs between this process and its installation. Raises `KeysUnusable`, `DatabaseUnavailable`."""
    recorded = await DatabaseInstallation(engine).read()
    return compare_facts(recorded, find_facts(settings, await read_namespace()))


def find_facts(settings: "Settings", namespace: str | None) -> Facts:
    """Returns the facts of this process. Creates nothing. Raises `KeysUnusable`."""
    facts = {
        Fact.PUBLIC_URL: settings.base_url,
        Fact.OBJECT_STORE: settings.object_store or _FOLDER,
        Fact.PAYLOAD_KEYS: ",".join(key.key_id for key in settings.temporal.payload_keys) or NO_PAYLOAD_KEYS,
        **find_fingerprints(settings),
    }
    return {**facts, Fact.NAMESPACE: namespace} if namespace else facts


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


def _known(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if value}


def _check(recorded: Facts, found: Facts) -> None:
    differences = compare_facts(recorded, found)
    if differences:
        raise ConfigError(*map(str, differences))
