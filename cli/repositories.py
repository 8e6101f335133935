"""The database that the settings name, as commands use it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

from cli.dev.data_directory import prepare_data_directory
from cli.errors import BackendUnavailable
from ports.callbacks import Callbacks, WebhookSecrets
from ports.database import DatabaseUnavailable, MigrationDelayed, Organisations, SessionRows, Users
from ports.mail import Logos
from ports.sending_limits import Budgets
from settings import Settings


class Repositories(NamedTuple):
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
async def open_repositories(settings: Settings) -> AsyncIterator[Repositories]:
    """The repositories, for as long as the context lasts; the database is brought up to date first.

    Raises:
        BackendUnavailable: the database does not answer, or cannot be brought up to date now.
    """
    # Loading what speaks to databases takes longer than most commands, which need none.
    from adapters.database.engine import make_engine, migrate  # noqa: PLC0415
    from adapters.database.repositories.callbacks import DatabaseCallbacks  # noqa: PLC0415
    from adapters.database.repositories.logos import DatabaseLogos  # noqa: PLC0415
    from adapters.database.repositories.organisations import DatabaseOrganisations  # noqa: PLC0415
    from adapters.database.repositories.sending_limits import DatabaseBudgets  # noqa: PLC0415
    from adapters.database.repositories.sessions import DatabaseSessionRows  # noqa: PLC0415
    from adapters.database.repositories.users import DatabaseUsers  # noqa: PLC0415
    from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets  # noqa: PLC0415
    from adapters.database.schema_version import is_newer  # noqa: PLC0415

    if settings.database_url is None:
        prepare_data_directory(settings.data_dir)
    try:
        await migrate(settings.database_address)
        engine = make_engine(settings.database_address)
        try:
            yield Repositories(
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
        raise BackendUnavailable(str(error)) from error
    except DatabaseUnavailable as error:
        raise BackendUnavailable(
            "The database does not answer. Start it, or look at UNDERSIGN_DATABASE_URL (none means a file of its own)."
        ) from error


@asynccontextmanager
async def open_organisations(settings: Settings) -> AsyncIterator[Organisations]:
    """The organisations of the repositories; see `open_repositories`."""
    async with open_repositories(settings) as repositories:
        yield repositories.organisations
