"""Checks of the engines: the database and its tables, the object store, Temporal and its workers."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from adapters.database.engine import make_engine
from adapters.database.port import DatabaseUnavailable
from adapters.database.schema import SchemaState, read_schema
from adapters.object_store.checking import check_store
from adapters.object_store.opening import open_object_store
from adapters.object_store.port import ObjectStoreError
from api.preflight.findings import Check, Failed, Passed, Skipped
from settings import Settings
from workflows.inspection import Inspection, TemporalUnusable, inspect_temporal
from workflows.polling import Polled

_SILENT = timedelta(seconds=90)
"""A worker that lives asks again after a minute in which there was nothing for it; and Temporal has its own clock."""

_MIGRATE = "Start a process of this version: it brings the tables up to date before it does anything else."
_DATABASE = "Let the database at UNDERSIGN_DATABASE_URL run and be reached with its user and password."
_STORAGE = "Look at UNDERSIGN_OBJECT_STORE and its credentials, or at the disk of the data directory."
_TEMPORAL = "Let the Temporal server run and be reached."


def checks(settings: Settings) -> Iterator[Check]:
    """All of them."""
    yield Check("database", partial(check_database, settings), _DATABASE)
    yield Check("storage", partial(check_storage, settings), _STORAGE)
    yield Check("temporal", partial(check_temporal, settings), _TEMPORAL)
    yield Check("workers", partial(check_workers, settings), _TEMPORAL)


async def check_database(settings: Settings) -> Passed:
    """It answers, and has the tables of this version."""
    if settings.database_url is None and not (settings.data_dir / "undersign.db").exists():
        return Passed("There is none yet.", "A SQLite file is made in the data directory at the first start.")
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        state = await read_schema(engine)
    except DatabaseUnavailable as error:
        raise Failed("It does not answer.", _DATABASE) from error
    finally:
        await engine.dispose()
    match state:
        case SchemaState.CURRENT:
            return Passed("It answers, and its tables are of this version.")
        case SchemaState.NEWER:
            return Passed("It answers.", "Its tables are of a newer version, with which this one works for now.")
        case SchemaState.MISSING:
            return Passed("It answers.", f"It has no tables yet. {_MIGRATE}")
        case _:
            raise Failed("Its tables are of an older version.", _MIGRATE)


async def check_storage(settings: Settings) -> Passed:
    """An object is stored, read, downloaded by a signed address, if that is of a bucket, and deleted."""
    folder = settings.data_dir / "objects"
    if settings.object_store is None and not settings.data_dir.exists():
        return Passed("There is none yet.", "A folder is made in the data directory at the first start.")
    try:
        # Addresses of a folder are signed by the API alone, so any key will do.
        store = open_object_store(settings.object_store, folder, bytes(32), settings.base_url)
        notes = await check_store(store, settings.download_lifetime)
    except ObjectStoreError as error:
        raise Failed(f"An object could not be stored, read and handed out: {error}", _STORAGE) from error
    return Passed("An object was stored and read.", " ".join(notes) or None)


async def check_temporal(settings: Settings) -> Passed:
    """It answers, has the namespace, and its search attributes."""
    found = await _inspect(settings)
    if found.missing_attributes:
        raise Failed(
            f"The namespace {found.namespace} lacks the search attributes {', '.join(found.missing_attributes)}.",
            "A worker registers them when it starts; on Temporal Cloud add them as keywords in its own pages.",
        )
    told = f"It answers, with the namespace {found.namespace} and its search attributes."
    if not found.is_encrypted:
        note = "What it is given can be read in its database; UNDERSIGN_PAYLOAD_KEYS encrypts it."
        return Passed(told, note if settings.is_production else None)
    return Passed(told)


async def check_workers(settings: Settings) -> Passed:
    """Somebody polls each task queue."""
    try:
        found = await _inspect(settings)
    except Failed as failure:
        raise Skipped("Nobody can be asked for them; see temporal.") from failure
    return judge_workers(found.workers, datetime.now(UTC))


def judge_workers(found: Mapping[str, Polled], now: datetime) -> Passed:
    """What to say of those who polled each queue.

    Raises:
        Failed: nobody did.
    """
    idle = [queue for queue, polled in found.items() if not polled.workers]
    if idle:
        advice = next(problem for queue in idle if (problem := found[queue].problem))
        raise Failed(
            f"Nobody works on {', '.join(idle)}.",
            f"{advice} Before the first start of the service this is to be expected.",
        )
    told = ", ".join(f"{queue}: {polled.workers}" for queue, polled in found.items())
    silent = [queue for queue, polled in found.items() if polled.last and now - polled.last > _SILENT]
    if silent:
        return Passed(
            told,
            f"Nobody has asked for work of {', '.join(silent)} for more than {_SILENT.seconds} s. Temporal remembers "
            "a worker that was killed for five minutes: look again then, or see whether the worker lives.",
        )
    return Passed(told)


async def _inspect(settings: Settings) -> Inspection:
    try:
        return await inspect_temporal(settings.temporal)
    except TemporalUnusable as error:
        raise Failed(error.problem, error.advice) from error
