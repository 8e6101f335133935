"""The database that the settings name, as commands use it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

from adapters.database.budget_port import Budgets
from adapters.database.callback_port import Callbacks, WebhookSecrets
from adapters.database.port import DatabaseUnavailable, MigrationDelayed, Organisations, SessionRows, Users
from adapters.mail.port import Logos
from api.cli.failures import EngineUnavailable
from api.cli.folder import prepare_folder
from settings import Settings


class Registry(NamedTuple):
    """What commands look up and add."""

    organisations: Organisations
    budgets: Budgets
    sessions: SessionRows
    users: Users
    callbacks: Callbacks
    logos: Logos
    webhook_secrets: Callable[[bytes], WebhookSecrets]
    """With the key under which they are encrypted."""
    is_newer: Callable[[], Awaitable[bool]]
    """Whether the schema is that of a newer version."""


@asynccontextmanager
async def open_registry(settings: Settings) -> AsyncIterator[Registry]:
    """The registry, for as long as the context lasts; the database is brought up to date first.

    Raises:
        EngineUnavailable: the database does not answer, or cannot be brought up to date now.
    """
    # Loading what speaks to databases takes longer than most commands, which need none.
    from adapters.database.budgets import DatabaseBudgets  # noqa: PLC0415
    from adapters.database.callbacks import DatabaseCallbacks  # noqa: PLC0415
    from adapters.database.engine import make_engine, migrate  # noqa: PLC0415
    from adapters.database.logos import DatabaseLogos  # noqa: PLC0415
    from adapters.database.organisations import DatabaseOrganisations  # noqa: PLC0415
    from adapters.database.schema import is_newer  # noqa: PLC0415
    from adapters.database.sessions import DatabaseSessionRows  # noqa: PLC0415
    from adapters.database.users import DatabaseUsers  # noqa: PLC0415
    from adapters.database.webhook_secrets import DatabaseWebhookSecrets  # noqa: PLC0415

    if settings.database_url is None:
        prepare_folder(settings.data_dir)
    try:
        await migrate(settings.database_address)
        engine = make_engine(settings.database_address)
        try:
            yield Registry(
                DatabaseOrganisations(engine),
                DatabaseBudgets(engine),
                DatabaseSessionRows(engine),
                DatabaseUsers(engine),
                DatabaseCallbacks(engine),
                DatabaseLogos(engine),
                lambda key: DatabaseWebhookSecrets(engine, key),
                partial(is_newer, engine),
            )
        finally:
            await engine.dispose()
    except MigrationDelayed as error:
        raise EngineUnavailable(str(error)) from error
    except DatabaseUnavailable as error:
        raise EngineUnavailable(
            "The database does not answer. Start it, or look at UNDERSIGN_DATABASE_URL (none means a file of its own)."
        ) from error


@asynccontextmanager
async def open_organisations(settings: Settings) -> AsyncIterator[Organisations]:
    """The organisations of the registry; see `open_registry`."""
    async with open_registry(settings) as registry:
        yield registry.organisations
