"""Checks of the backends: database, object store, Temporal and its workers."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from adapters.database.engine import make_engine
from adapters.database.schema_version import SchemaState, read_schema
from adapters.object_store.factory import open_object_store
from adapters.object_store.self_test import check_store
from cli.doctor.check import Check, CheckFailed, CheckPassed, CheckSkipped
from ports.database import DatabaseUnavailable
from ports.object_store import ObjectStoreError
from ports.temporal import PollerStatus
from settings import Settings
from workflows.client.namespace_check import SILENT, NamespaceStatus, TemporalUnusable, check_namespace

_MIGRATE = "Start a process of this version, or run undersign migrate: both migrate the tables."
_DATABASE = "Check that the database at UNDERSIGN_DATABASE_URL runs, and its user and password."
_STORAGE = "Check UNDERSIGN_OBJECT_STORE and its credentials, or the disk of the data directory."
_TEMPORAL = "Check that the Temporal server runs and can be reached."
_FIRST = "This is normal before the first start of the service."


def checks(settings: Settings) -> Iterator[Check]:
    """Yields the checks of this module."""
    yield Check("database", partial(check_database, settings), _DATABASE)
    yield Check("storage", partial(check_storage, settings), _STORAGE)
    yield Check("temporal", partial(check_temporal, settings), _TEMPORAL)
    yield Check("workers", partial(check_workers, settings), _TEMPORAL)


async def check_database(settings: Settings) -> CheckPassed:
    """Checks that the database answers and has the tables of this version."""
    if not _has_database(settings):
        return CheckPassed("There is none yet.", "A SQLite file is created in the data directory at the first start.")
    try:
        state = await state_of_schema(settings)
    except DatabaseUnavailable as error:
        raise CheckFailed("It does not answer.", _DATABASE) from error
    match state:
        case SchemaState.CURRENT:
            return CheckPassed("It answers, and its tables are of this version.")
        case SchemaState.NEWER:
            return CheckPassed("It answers.", "Its tables are of a newer version, with which this one works.")
        case SchemaState.MISSING:
            return CheckPassed("It answers.", f"It has no tables yet. {_MIGRATE}")
        case _:
            raise CheckFailed("Its tables are of an older version.", _MIGRATE)


async def state_of_schema(settings: Settings) -> SchemaState:
    """Returns the state of the database schema; creates nothing. Raises `DatabaseUnavailable`."""
    if not _has_database(settings):
        return SchemaState.MISSING
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        return await read_schema(engine)
    finally:
        await engine.dispose()


def _has_database(settings: Settings) -> bool:
    """Returns whether there is a database: opening a SQLite file would create it."""
    return settings.database_url is not None or (settings.data_dir / "undersign.db").exists()


async def _was_started(settings: Settings) -> bool:
    """Returns whether the service has ever started on its database; True if the database does not answer."""
    try:
        return await state_of_schema(settings) is not SchemaState.MISSING
    except DatabaseUnavailable:
        return True


async def check_storage(settings: Settings) -> CheckPassed:
    """Stores, reads and deletes an object; in a bucket, downloads it from a signed URL too."""
    folder = settings.data_dir / "objects"
    if settings.object_store is None and not folder.exists():
        return CheckPassed("There is none yet.", "A directory is created in the data directory at the first start.")
    try:
        # Only the API signs URLs of a directory, so any key will do.
        store = open_object_store(settings.object_store, folder, bytes(32), settings.base_url)
        notes = await check_store(store, settings.download_lifetime)
    except ObjectStoreError as error:
        raise CheckFailed(f"An object could not be stored, read and downloaded: {error}", _STORAGE) from error
    return CheckPassed("An object was stored and read.", " ".join(notes) or None)


async def check_temporal(settings: Settings) -> CheckPassed:
    """Checks that Temporal answers and has the namespace with its search attributes."""
    try:
        found = await _inspect(settings)
    except CheckFailed as failure:
        if settings.temporal_address is None and not await _was_started(settings):
            return CheckPassed("None runs yet.", "undersign dev starts one; otherwise set UNDERSIGN_TEMPORAL_ADDRESS.")
        raise failure from None
    if found.missing_attributes:
        message = f"The namespace {found.namespace} lacks the search attributes {', '.join(found.missing_attributes)}."
        advice = "A worker registers them when it starts; on Temporal Cloud, add them as keywords in the console."
        if not await _was_started(settings):
            return CheckPassed(message, f"{advice} {_FIRST}")
        raise CheckFailed(message, advice)
    if found.unreadable:
        raise CheckFailed(
            f"A running session cannot be read: {found.unreadable}.",
            "Set UNDERSIGN_PAYLOAD_KEYS to the keys of this installation, from a backup; see docs/engines.md.",
        )
    message = f"It answers, with the namespace {found.namespace} and its search attributes."
    if not found.is_encrypted:
        note = "Payloads are stored unencrypted; UNDERSIGN_PAYLOAD_KEYS encrypts them."
        return CheckPassed(message, note if settings.is_production else None)
    return CheckPassed(message)


async def check_workers(settings: Settings) -> CheckPassed:
    """Checks that each task queue has a worker."""
    try:
        found = await _inspect(settings)
    except CheckFailed as failure:
        raise CheckSkipped("Temporal does not answer; see temporal.") from failure
    try:
        return judge_workers(found.workers, datetime.now(UTC))
    except CheckFailed as failure:
        if await _was_started(settings):
            raise
        return CheckPassed(str(failure), f"{failure.advice} {_FIRST}")


def judge_workers(found: Mapping[str, PollerStatus], now: datetime) -> CheckPassed:
    """Returns the result for the workers of each queue.

    Raises:
        CheckFailed: a queue has no worker.
    """
    idle = [queue for queue, polled in found.items() if not polled.workers]
    if idle:
        advice = next(problem for queue in idle if (problem := found[queue].problem))
        raise CheckFailed(
            f"No worker polls {', '.join(idle)}.",
            advice,
        )
    message = ", ".join(f"{queue}: {polled.workers}" for queue, polled in found.items())
    silent = [queue for queue, polled in found.items() if polled.last and now - polled.last > SILENT]
    if silent:
        return CheckPassed(
            message,
            f"No worker has polled {', '.join(silent)} for more than {SILENT.seconds} s. Temporal remembers "
            "a worker that was killed for five minutes: check again then, or check that the worker runs.",
        )
    return CheckPassed(message)


async def _inspect(settings: Settings) -> NamespaceStatus:
    try:
        return await check_namespace(settings.temporal)
    except TemporalUnusable as error:
        raise CheckFailed(error.problem, error.advice) from error
