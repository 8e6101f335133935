"""Opens the database that the settings name."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

from cli.dev.data_directory import prepare_data_directory
from cli.errors import BackendUnavailable
from ports.callbacks import Callbacks, WebhookSecrets
from ports.database import DatabaseUnavailable, MigrationDelayed, Organisations, SessionRows, Users
from ports.limits import SendingLimits
from ports.mail import Logos
from settings import Settings


class Repositories(NamedTuple):
    """The repositories of one database."""

    organisations: Organisations
    budgets: SendingLimits
    sessions: SessionRows
    users: Users
    callbacks: Callbacks
    logos: Logos
    webhook_secrets: Callable[[bytes], WebhookSecrets]
    """Takes the key that encrypts the secrets."""
    is_newer: Callable[[], Awaitable[bool]]
    """Returns whether a newer version has migrated the schema."""


@asynccontextmanager
async def open_repositories(settings: Settings) -> AsyncIterator[Repositories]:
    """Migrates the database and opens its repositories.

    Raises:
        BackendUnavailable: the database does not answer, or cannot be migrated now.
    """
    # These modules are slow to load, and most commands need no database.
    from adapters.database.engine import make_engine  # noqa: PLC0415
    from adapters.database.repositories.callbacks import DatabaseCallbacks  # noqa: PLC0415
    from adapters.database.repositories.organisations import DatabaseLogos, DatabaseOrganisations  # noqa: PLC0415
    from adapters.database.repositories.sending_limits import DatabaseBudgets  # noqa: PLC0415
    from adapters.database.repositories.sessions import DatabaseSessionRows  # noqa: PLC0415
    from adapters.database.repositories.users import DatabaseUsers  # noqa: PLC0415
    from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets  # noqa: PLC0415
    from adapters.database.schema import is_newer, migrate  # noqa: PLC0415

    if settings.database_url is None:
        prepare_data_directory(settings.data_dir)
    try:
        await migrate(settings.database_address)
        engine = make_engine(settings.database_address, settings.database_limits)
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
            "The database does not answer. Start it, or check UNDERSIGN_DATABASE_URL (default: a SQLite file)."
        ) from error
