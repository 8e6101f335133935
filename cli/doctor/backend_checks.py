"""Checks of the engines: the database and its tables, the object store, Temporal and its workers."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from adapters.database.engine import make_engine
from adapters.database.schema_version import SchemaState, read_schema
from adapters.object_store.factory import open_object_store
from adapters.object_store.self_test import check_store
from cli.doctor.checks import Check, Failed, Passed, Skipped
from ports.database import DatabaseUnavailable
from ports.object_store import ObjectStoreError
from ports.task_queues import PollerStatus
from settings import Settings
from workflows.client.namespace_check import NamespaceStatus, TemporalUnusable, check_namespace
from workflows.client.task_queue_status import SILENT

_MIGRATE = "Start a process of this version: it brings the tables up to date before it does anything else."
_DATABASE = "Let the database at UNDERSIGN_DATABASE_URL run and be reached with its user and password."
_STORAGE = "Look at UNDERSIGN_OBJECT_STORE and its credentials, or at the disk of the data directory."
_TEMPORAL = "Let the Temporal server run and be reached."
_FIRST = "Before the first start of the service this is to be expected."


def checks(settings: Settings) -> Iterator[Check]:
    """All of them."""
    yield Check("database", partial(check_database, settings), _DATABASE)
    yield Check("storage", partial(check_storage, settings), _STORAGE)
    yield Check("temporal", partial(check_temporal, settings), _TEMPORAL)
    yield Check("workers", partial(check_workers, settings), _TEMPORAL)


async def check_database(settings: Settings) -> Passed:
    """It answers, and has the tables of this version."""
    if not _has_database(settings):
        return Passed("There is none yet.", "A SQLite file is made in the data directory at the first start.")
    try:
        state = await state_of_schema(settings)
    except DatabaseUnavailable as error:
        raise Failed("It does not answer.", _DATABASE) from error
    match state:
        case SchemaState.CURRENT:
            return Passed("It answers, and its tables are of this version.")
        case SchemaState.NEWER:
            return Passed("It answers.", "Its tables are of a newer version, with which this one works for now.")
        case SchemaState.MISSING:
            return Passed("It answers.", f"It has no tables yet. {_MIGRATE}")
        case _:
            raise Failed("Its tables are of an older version.", _MIGRATE)


async def state_of_schema(settings: Settings) -> SchemaState:
    """How the database's schema stands; nothing is made. Raises `DatabaseUnavailable`."""
    if not _has_database(settings):
        return SchemaState.MISSING
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        return await read_schema(engine)
    finally:
        await engine.dispose()


def _has_database(settings: Settings) -> bool:
    """Whether there is one to ask: opening a file of SQLite would make it."""
    return settings.database_url is not None or (settings.data_dir / "undersign.db").exists()


async def _was_started(settings: Settings) -> bool:
    """Whether the service has ever been started on its database, as far as that can be learned."""
    try:
        return await state_of_schema(settings) is not SchemaState.MISSING
    except DatabaseUnavailable:
        return True


async def check_storage(settings: Settings) -> Passed:
    """An object is stored, read, downloaded by a signed address, if that is of a bucket, and deleted."""
    folder = settings.data_dir / "objects"
    if settings.object_store is None and not folder.exists():
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
    try:
        found = await _inspect(settings)
    except Failed as failure:
        if settings.temporal_address is None and not await _was_started(settings):
            return Passed("None runs yet.", "undersign dev starts one; else set UNDERSIGN_TEMPORAL_ADDRESS.")
        raise failure from None
    if found.missing_attributes:
        told = f"The namespace {found.namespace} lacks the search attributes {', '.join(found.missing_attributes)}."
        advice = "A worker registers them when it starts; on Temporal Cloud add them as keywords in its own pages."
        if not await _was_started(settings):
            return Passed(told, f"{advice} {_FIRST}")
        raise Failed(told, advice)
    if found.unreadable:
        raise Failed(
            f"A running session cannot be read: {found.unreadable}.",
            "Set UNDERSIGN_PAYLOAD_KEYS to the keys of this installation, from a backup; see docs/engines.md.",
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
    try:
        return judge_workers(found.workers, datetime.now(UTC))
    except Failed as failure:
        if await _was_started(settings):
            raise
        return Passed(str(failure), f"{failure.advice} {_FIRST}")


def judge_workers(found: Mapping[str, PollerStatus], now: datetime) -> Passed:
    """What to say of those who polled each queue.

    Raises:
        Failed: nobody did.
    """
    idle = [queue for queue, polled in found.items() if not polled.workers]
    if idle:
        advice = next(problem for queue in idle if (problem := found[queue].problem))
        raise Failed(
            f"Nobody works on {', '.join(idle)}.",
            advice,
        )
    told = ", ".join(f"{queue}: {polled.workers}" for queue, polled in found.items())
    silent = [queue for queue, polled in found.items() if polled.last and now - polled.last > SILENT]
    if silent:
        return Passed(
            told,
            f"Nobody has asked for work of {', '.join(silent)} for more than {SILENT.seconds} s. Temporal remembers "
            "a worker that was killed for five minutes: look again then, or see whether the worker lives.",
        )
    return Passed(told)


async def _inspect(settings: Settings) -> NamespaceStatus:
    try:
        return await check_namespace(settings.temporal)
    except TemporalUnusable as error:
        raise Failed(error.problem, error.advice) from error
