"""Processes join their own installation only, and keys are created for a new one only."""

import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from google.cloud import storage
from pydantic import AnyHttpUrl, SecretStr
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.installation import DatabaseInstallation
from adapters.database.schema_migration import open_database
from adapters.keys.secret_keys import KEY_FILES, rotate_file
from config import installation
from config.installation import find_facts, find_fingerprints, join_installation
from config.settings import Settings
from domain.installation import ID_FACT, STORE_ID, Fact
from domain.ports.keys import SecretKeys
from domain.shared.errors import ConfigError
from tests.adapters.google_server import client_at
from workflows.sdk.payload_keys_setting import new_payload_key

NAMESPACE = "signing (1b2c)"

STORES = "own", "foreign", "empty"


async def join(settings: Settings, engine: AsyncEngine, namespace: str | None = NAMESPACE) -> SecretKeys:
    return (await join_installation(settings, engine, AsyncMock(return_value=namespace))).keys


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", payload_keys=SecretStr(new_payload_key()))


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[AsyncEngine]:
    settings.data_dir.mkdir()
    async with open_database(settings.database_address, settings.database_limits) as engine:
        yield engine


async def test_the_first_start_creates_keys_and_records_what_the_installation_is(
    settings: Settings, engine: AsyncEngine
) -> None:
    keys = await join(settings, engine)

    recorded = await DatabaseInstallation(engine).read()
    assert dict(recorded) == dict(find_facts(settings, NAMESPACE, recorded[ID_FACT]))
    assert {f"keys/{name}" for name in (*KEY_FILES, "seal/authority.pem", "id")} < recorded.keys()
    assert not any(keys.link.hex() in value for value in recorded.values())
    assert await join(settings, engine, None) == keys


@pytest.fixture
def google(storage_server: str, key_file: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[storage.Client]:
    """A client of the server that the settings' `gs://` reaches."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", storage_server)
    client = client_at(storage_server)
    yield client
    client.close()


MOVED: dict[str, Callable[[Settings], tuple[Settings, str]]] = {
    "namespace": lambda settings: (settings, "default (9f)"),
    "public-url": lambda settings: (
        settings.model_copy(update={"public_url": AnyHttpUrl("https://elsewhere.example.com")}),
        NAMESPACE,
    ),
    "object-store": lambda settings: (settings.model_copy(update={"object_store": "gs://documents"}), NAMESPACE),
    "payload-keys": lambda settings: (settings.model_copy(update={"payload_keys": None}), NAMESPACE),
}


@pytest.mark.parametrize("fact", MOVED)
async def test_another_setting_stops_the_start(fact: str, settings: Settings, engine: AsyncEngine) -> None:
    await join(settings, engine)

    moved, namespace = MOVED[fact](settings)
    with pytest.raises(ConfigError, match=f"undersign installation accept {fact}"):
        await join(moved, engine, namespace)


async def test_a_host_without_the_keys_makes_none(settings: Settings, engine: AsyncEngine, tmp_path: Path) -> None:
    await join(settings, engine)
    elsewhere = settings.model_copy(update={"data_dir": tmp_path / "elsewhere"})

    with pytest.raises(ConfigError, match=r"keys/\S+ is missing .* and 0|is missing for this process"):
        await join(elsewhere, engine)
    assert not (tmp_path / "elsewhere" / "keys").exists()


@pytest.mark.parametrize("name", [*KEY_FILES, "seal/authority.pem", "id"])
async def test_a_key_of_another_installation_stops_the_start(
    name: str, settings: Settings, engine: AsyncEngine, tmp_path: Path
) -> None:
    await join(settings, engine)
    other = settings.model_copy(update={"data_dir": tmp_path / "other"})
    other.data_dir.mkdir()
    async with open_database(other.database_address, other.database_limits) as of_other:
        await join(other, of_other)
    shutil.copy(other.data_dir / "keys" / name, settings.data_dir / "keys" / name)

    with pytest.raises(ConfigError, match=f"keys/{name}"):
        await join(settings, engine)


async def test_keys_of_an_installation_do_not_start_on_an_empty_database(
    settings: Settings, engine: AsyncEngine, tmp_path: Path
) -> None:
    await join(settings, engine)

    empty = settings.model_copy(update={"database_url": f"sqlite+aiosqlite:///{tmp_path}/empty.db"})
    async with open_database(empty.database_address, empty.database_limits) as of_empty:
        with pytest.raises(ConfigError, match="check UNDERSIGN_DATABASE_URL"):
            await join(empty, of_empty)
        assert not await DatabaseInstallation(of_empty).read()


async def test_keys_of_an_earlier_version_are_taken_as_they_are(settings: Settings, engine: AsyncEngine) -> None:
    keys = await join(settings, engine)
    (settings.data_dir / "keys" / "id").unlink()
    shutil.rmtree(settings.data_dir / "objects")
    fresh = settings.model_copy(update={"database_url": f"sqlite+aiosqlite:///{settings.data_dir}/migrated.db"})

    async with open_database(fresh.database_address, fresh.database_limits) as migrated:
        assert await join(fresh, migrated) == keys


async def test_a_rotation_that_is_recorded_is_accepted(settings: Settings, engine: AsyncEngine) -> None:
    await join(settings, engine)
    rotate_file(settings.data_dir / "keys", "link")
    with pytest.raises(ConfigError, match=r"keys/link\.key"):
        await join(settings, engine)

    await DatabaseInstallation(engine).replace(find_fingerprints(settings))
    await join(settings, engine)


async def fill(store: Settings, folder: Path) -> None:
    """Starts an installation of its own on the store of those settings."""
    folder.mkdir()
    other = store.model_copy(update={"data_dir": folder})
    async with open_database(other.database_address, other.database_limits) as engine:
        await join(other, engine)


async def test_the_folder_of_another_installation_stops_the_start(
    settings: Settings, engine: AsyncEngine, tmp_path: Path
) -> None:
    await fill(settings, tmp_path / "other")
    await join(settings, engine)
    own = settings.data_dir / "objects"
    own.rename(tmp_path / "own")

    with pytest.raises(ConfigError, match=r"^The id in the object store is missing .* and \S{36} for its installation"):
        await join(settings, engine)
    (tmp_path / "other" / "objects").rename(own)
    with pytest.raises(ConfigError, match=r"^The id in the object store is \S{36} .* accept object-store`\.$"):
        await join(settings, engine)
    shutil.rmtree(own)
    (tmp_path / "own").rename(own)
    await join(settings, engine)


async def test_a_first_start_on_the_store_of_another_installation_records_nothing(
    settings: Settings, engine: AsyncEngine, tmp_path: Path
) -> None:
    await fill(settings, tmp_path / "other")
    (tmp_path / "other" / "objects").rename(settings.data_dir / "objects")

    with pytest.raises(ConfigError, match=r"belongs to the installation \S{36}, and this database to none"):
        await join(settings, engine)
    assert not await DatabaseInstallation(engine).read()

    shutil.rmtree(settings.data_dir / "objects")
    await join(settings, engine)


async def test_a_first_start_may_meet_the_id_that_another_one_stores_meanwhile(
    settings: Settings, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def join_other_first(*_: object) -> None:
        monkeypatch.undo()
        await join(settings, engine)

    monkeypatch.setattr(installation, "check_at_start", join_other_first)
    await join(settings, engine)


async def test_a_store_of_an_earlier_version_gets_its_id(settings: Settings, engine: AsyncEngine) -> None:
    await join(settings, engine)
    shutil.rmtree(settings.data_dir / "objects")
    await DatabaseInstallation(engine).forget([STORE_ID])

    await join(settings, engine)
    assert (await DatabaseInstallation(engine).read())[STORE_ID]


async def test_a_bucket_of_another_installation_stops_the_start(
    settings: Settings, engine: AsyncEngine, tmp_path: Path, google: storage.Client
) -> None:
    for name in STORES:
        google.create_bucket(name)
    own, foreign, empty = (settings.model_copy(update={"object_store": f"gs://{name}"}) for name in STORES)
    await fill(foreign, tmp_path / "other")
    await join(own, engine)

    for swapped in (foreign, empty):  # as behind another project or endpoint, under the same name
        await DatabaseInstallation(engine).replace({Fact.OBJECT_STORE: swapped.object_store or ""})
        with pytest.raises(ConfigError, match=r"^The id in the object store is (missing|\S{36}) for this process"):
            await join(swapped, engine)
    await DatabaseInstallation(engine).forget([STORE_ID])
    await join(empty, engine)
