"""Opens the backends of commands: the settings, the keys, the database and the object store of this installation."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from cli.data_directory import prepare_data_directory
from cli.output import BackendUnavailable, InvalidInput
from config.production_checks import read_for_server
from config.settings import Environment, Settings
from domain.installation import ID_FACT, ID_FILE, Facts, compare_facts
from domain.ports.database import DatabaseUnavailable, MigrationDelayed, Organisation
from domain.ports.object_store import ObjectStore, ObjectStoreError
from domain.shared.errors import ConfigError
from domain.shared.ids import OrganisationId

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

P = ParamSpec("P")


def read_settings(reading: Callable[[], Settings] = Settings.read) -> Settings:
    """Returns the settings of this process; raises `InvalidInput` with a line for each error."""
    try:
        return reading()
    except ConfigError as error:
        raise InvalidInput(str(error)) from None


def read_settings_to_run() -> Settings:
    """Returns the settings of a whole service on this machine; in production they meet its requirements."""
    settings = read_settings()
    return read_settings(read_for_server) if settings.environment is Environment.PRODUCTION else settings


def key_directory(name: str = "") -> Path:
    """Returns `keys/` of the data directory, or the directory `name` in it; raises `InvalidInput` if it is missing."""
    folder = read_settings().data_dir / "keys" / name
    if not folder.is_dir():
        raise InvalidInput(
            f"There are no keys in {folder}. Start the service once, or set UNDERSIGN_DATA_DIR to its data directory."
        )
    return folder


@contextmanager
def key_errors() -> Iterator[None]:
    """Raises `InvalidInput` for errors of key files."""
    from adapters.keys.secret_keys import KeysUnusable

    try:
        yield
    except KeysUnusable as error:
        raise InvalidInput(str(error)) from error


class Repositories:
    """The repositories of one database."""

    def __init__(self, engine: "AsyncEngine") -> None:
        from adapters.database.repositories.administrative_acts import DatabaseAdministrativeActs
        from adapters.database.repositories.callbacks import DatabaseCallbacks
        from adapters.database.repositories.installation import DatabaseInstallation
        from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
        from adapters.database.repositories.sending_limits import DatabaseBudgets
        from adapters.database.repositories.sessions import DatabaseSessionRows
        from adapters.database.repositories.users import DatabaseSignIns, DatabaseUsers
        from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
        from adapters.database.schema_migration import is_newer

        self.installation = DatabaseInstallation(engine)
        self.organisations = DatabaseOrganisations(engine)
        self.budgets = DatabaseBudgets(engine)
        self.sessions = DatabaseSessionRows(engine)
        self.users = DatabaseUsers(engine)
        self.sign_ins = DatabaseSignIns(engine)
        self.acts = DatabaseAdministrativeActs(engine)
        self.callbacks = DatabaseCallbacks(engine)
        self.identities = DatabaseSenderIdentities(engine)
        self.webhook_secrets = partial(DatabaseWebhookSecrets, engine)
        self.is_newer = partial(is_newer, engine)

    async def get_organisation(self, organisation_id: OrganisationId) -> Organisation:
        """Returns the organisation; raises `InvalidInput` if there is none."""
        organisation = await self.organisations.get(organisation_id)
        if organisation is None:
            raise InvalidInput(
                f"There is no organisation {organisation_id}. See undersign organisation list, or add one: "
                "undersign organisation add NAME"
            )
        return organisation


@asynccontextmanager
async def open_repositories(settings: Settings) -> AsyncIterator[Repositories]:
    """Migrates the database and opens its repositories; raises `BackendUnavailable`."""
    from adapters.database.engine import describe_failure
    from adapters.database.schema_migration import open_database

    if settings.database_url is None:
        prepare_data_directory(settings.data_dir)
    try:
        async with open_database(settings.database_address, settings.database_limits) as engine:
            yield Repositories(engine)
    except MigrationDelayed as error:
        raise BackendUnavailable(str(error)) from error
    except DatabaseUnavailable as error:
        raise BackendUnavailable(
            f"The database does not answer. {describe_failure(error, settings.database_address)}. Start it, or check "
            "UNDERSIGN_DATABASE_URL (default: a SQLite file)."
        ) from error


async def check_id(settings: Settings, database: Repositories) -> None:
    """Raises `InvalidInput` if `keys/` of this machine belongs to another installation than the database."""
    own = settings.data_dir / "keys" / ID_FILE
    recorded = (await database.installation.read()).get(ID_FACT)
    if recorded and own.exists():
        refuse_differences({ID_FACT: recorded}, {ID_FACT: own.read_text("ascii")})


def refuse_differences(recorded: Facts, found: Facts) -> None:
    """Raises `InvalidInput` with a line for each difference."""
    if differences := compare_facts(recorded, found):
        raise InvalidInput("\n".join(map(str, differences)))


def on_database(
    command: Callable[Concatenate[Repositories, P], Awaitable[None]], *, is_own: bool = True
) -> Callable[P, None]:
    """Makes a command of a coroutine function that takes the repositories as its first argument.

    With `is_own` the database must be that of the keys of this machine, if it has some.
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def opened() -> None:
            settings = read_settings()
            async with open_repositories(settings) as database:
                if is_own:
                    await check_id(settings, database)
                await command(database, *args, **kwargs)

        asyncio.run(opened())

    signature = inspect.signature(command)
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]  # which Typer reads
        parameters=list(signature.parameters.values())[1:]
    )
    return run


async def open_namespace(settings: Settings) -> str | None:
    """Returns the namespace in Temporal with its id; None if Temporal does not answer."""
    from workflows.client.namespace_check import connect_namespace

    read_namespace = await connect_namespace(settings.temporal)
    return await read_namespace()


def open_objects(settings: Settings) -> ObjectStore:
    """Opens the object store for reading; raises `BackendUnavailable` if there are no credentials for it."""
    from config import installation

    try:
        return installation.open_objects(settings)
    except ObjectStoreError as error:
        raise BackendUnavailable(f"The object store cannot be used: {error}") from error
