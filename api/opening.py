"""Builds the services of the API from the settings, and closes them again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.database.engine import make_engine, migrate
from adapters.database.organisations import DatabaseOrganisations
from adapters.database.sessions import DatabaseSessionRows
from adapters.keys import ensure_keys
from adapters.object_store.directory import DirectoryObjectStore
from adapters.processes import SpawnedPool
from api.services import Services
from settings import Settings
from workflows.client import connect_sessions


class SettingNotSupported(Exception):
    """A setting asks for an engine that this version cannot use. Better not to start than to keep objects elsewhere."""


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """The services for as long as the context lasts.

    The database is brought up to date first. Temporal need not be there: what needs it answers 503 until it is.

    Raises:
        SettingNotSupported: the settings ask for what there is not.
        KeysUnusable: a key file is damaged or cannot be made.
    """
    if settings.object_store is not None:
        raise SettingNotSupported("UNDERSIGN_OBJECT_STORE: only the data directory is supported yet; unset it.")
    keys = ensure_keys(settings.data_dir / "keys")
    await migrate(settings.database_address)
    engine = make_engine(settings.database_address)
    pool = SpawnedPool(settings.pool_processes, warm_modules=("layout.engine", "api.typesetting"))
    objects = DirectoryObjectStore(settings.data_dir / "objects", keys.download, settings.base_url)
    try:
        yield Services(
            sessions=await connect_sessions(settings.temporal_address, settings.temporal_namespace),
            rows=DatabaseSessionRows(engine),
            organisations=DatabaseOrganisations(engine),
            objects=objects,
            pool=pool,
            keys=keys,
            base_url=settings.base_url,
            download_lifetime=settings.download_lifetime,
            outbox=settings.data_dir / "outbox",
            downloads=objects,
        )
    finally:
        await pool.close()
        await engine.dispose()
