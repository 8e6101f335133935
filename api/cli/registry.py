"""Organisations and clients in the database that the settings name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.database.port import DatabaseUnavailable, Organisations
from api.cli.failures import EngineUnavailable
from api.cli.folder import prepare_folder
from settings import Settings


@asynccontextmanager
async def open_organisations(settings: Settings) -> AsyncIterator[Organisations]:
    """The organisations, for as long as the context lasts; the database is brought up to date first.

    Raises:
        EngineUnavailable: the database does not answer.
    """
    # Loading what speaks to databases takes longer than most commands, which need none.
    from adapters.database.engine import make_engine, migrate  # noqa: PLC0415
    from adapters.database.organisations import DatabaseOrganisations  # noqa: PLC0415

    if settings.database_url is None:
        prepare_folder(settings.data_dir)
    try:
        await migrate(settings.database_address)
        engine = make_engine(settings.database_address)
        try:
            yield DatabaseOrganisations(engine)
        finally:
            await engine.dispose()
    except DatabaseUnavailable as error:
        raise EngineUnavailable(
            "The database does not answer. Start it, or look at UNDERSIGN_DATABASE_URL (none means a file of its own)."
        ) from error
