"""Checks of the backends: database, object store, Temporal and its workers."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from adapters.database.engine import describe_database, describe_failure, make_engine, read_most_connections
from adapters.database.schema_migration import SchemaState, find_obstacle, read_schema
from adapters.object_store.self_test import check_store
from application.checks import CheckFailed, CheckPassed, CheckSkipped
from config.installation import find_differences, find_fingerprints, open_objects, read_store_id
from config.settings import Settings
from domain.installation import ID_FACT, Difference
from domain.ports.database import DatabaseUnavailable
from domain.ports.object_store import ObjectStoreError
from domain.ports.temporal import PollerStatus
from domain.shared.errors import ConfigError
from workflows.client.namespace_check import (
    SILENT,
    NamespaceStatus,
    TemporalUnusable,
    check_namespace,
    connect_namespace,
)

_MIGRATE = "Start a process of this version, or run undersign migrate: both migrate the tables."
_MIN_PROCESSES, _USUAL_PROCESSES = 2, 4
"""One API and one worker; two of each, of which none stops the service when it ends."""

_FEW_CONNECTIONS = "Two APIs and two workers need more: raise max_connections, or lower UNDERSIGN_DATABASE_CONNECTIONS."
_FIRST = "This is normal before the first start of the service."


async def check_database(settings: Settings) -> CheckPassed:
    """Checks that the database responds, has the tables of this version, and that its user may use or create them."""
    if not _has_database(settings):
        return CheckPassed("There is none yet.", "A SQLite file is created in the data directory at the first start.")
    try:
        state = await state_of_schema(settings)
        obstacle = await _find_obstacle(settings, state)
    except DatabaseUnavailable as error:
        raise CheckFailed(f"{describe_failure(error, settings.database_address)}.") from error
    if obstacle:
        raise CheckFailed(
            f"{describe_database(settings.database_address)}: {obstacle}", "See docs/engines.md, PostgreSQL."
        )
    if state is SchemaState.OLDER:
        raise CheckFailed("Its tables are of an older version.", _MIGRATE)
    if state is SchemaState.CURRENT:
        return CheckPassed("It answers, and its tables are of this version.")
    newer = "Its tables are of a newer version, with which this one works."
    return CheckPassed("It answers.", newer if state is SchemaState.NEWER else f"It has no tables yet. {_MIGRATE}")


async def _find_obstacle(settings: Settings, state: SchemaState) -> str | None:
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        return await find_obstacle(engine, state)
    finally:
        await engine.dispose()


async def check_connections(settings: Settings) -> CheckPassed:
    """Checks that PostgreSQL admits the connections of some processes."""
    if settings.database_url is None:
        return CheckPassed("SQLite has no limit.")
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        admitted = await read_most_connections(engine)
    except DatabaseUnavailable as error:
        raise CheckSkipped("The database does not answer; see database.") from error
    finally:
        await engine.dispose()
    return judge_connections(admitted, settings.database_connections)


def judge_connections(admitted: int, each: int) -> CheckPassed:
    """Returns the result for a server that admits that many connections, of which each process takes `each`."""
    processes = admitted // each
    message = f"PostgreSQL admits {admitted} connections, and each process takes up to {each}: {processes} processes."
    if processes < _MIN_PROCESSES:
        raise CheckFailed(message)
    return CheckPassed(message, _FEW_CONNECTIONS if processes < _USUAL_PROCESSES else None)


async def check_installation(settings: Settings) -> CheckPassed:
    """Checks that this process has the keys, the namespace, the address and the store of its installation."""
    try:
        state = await state_of_schema(settings)
    except DatabaseUnavailable as error:
        raise CheckSkipped("The database does not answer; see database.") from error
    if state is SchemaState.MISSING:
        return await _judge_new_installation(settings)
    if state is SchemaState.OLDER:
        raise CheckSkipped("The tables are of an older version; see database.")
    differences = await differences_of(settings)
    if differences:
        first, *others = differences
        raise CheckFailed(str(first), " ".join(map(str, others)) or "See docs/operations.md, Installation.")
    return CheckPassed("Keys, namespace, address and store are those of this installation.")


async def differences_of(settings: Settings) -> list[Difference]:
    """Returns what differs between a process with these settings and the installation."""
    engine = make_engine(settings.database_address, settings.database_limits)
    objects = None
    with suppress(ObjectStoreError):  # which the row `storage` states
        objects = open_objects(settings)
    try:
        return await find_differences(settings, engine, await _namespace_reader(settings), objects)
    finally:
        await engine.dispose()


async def _namespace_reader(settings: Settings) -> Callable[[], Awaitable[str | None]]:
    try:
        return await connect_namespace(settings.temporal)
    except ConfigError:  # which the row `temporal` states
        return _read_nothing


async def _read_nothing() -> None:
    return None


async def _judge_new_installation(settings: Settings) -> CheckPassed:
    if find_fingerprints(settings).get(ID_FACT):
        raise CheckFailed(
            "keys/ belongs to an installation, and this database has no tables.",
            "Check UNDERSIGN_DATABASE_URL, or restore the database.",
        )
    store_id = None
    # Another check reports an object store that does not answer.
    with suppress(ObjectStoreError):
        store_id = await read_store_id(open_objects(settings))
    if store_id:
        raise CheckFailed(
            f"The object store belongs to the installation {store_id}, and this database has no tables.",
            "Check UNDERSIGN_OBJECT_STORE and UNDERSIGN_DATABASE_URL, or restore the database.",
        )
    return CheckPassed("There is none yet.", "The first start records what it is.")


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
    """Returns whether the service has started on its database; True if the database does not respond."""
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
        notes = await check_store(open_objects(settings), settings.download_lifetime)
    except ObjectStoreError as error:
        raise CheckFailed(f"An object could not be stored, read and downloaded: {error}") from error
    return CheckPassed("An object was stored and read.", " ".join(notes) or None)


async def check_temporal(settings: Settings) -> CheckPassed:
    """Checks that Temporal responds and has the namespace with its search attributes."""
    try:
        status = await _inspect(settings)
    except CheckFailed:
        if settings.temporal_address is None and not await _was_started(settings):
            return CheckPassed("None runs yet.", "undersign dev starts one; otherwise set UNDERSIGN_TEMPORAL_ADDRESS.")
        raise
    if status.missing_attributes:
        message = (
            f"The namespace {status.namespace} lacks the search attributes {', '.join(status.missing_attributes)}."
        )
        advice = "A worker registers them when it starts; on Temporal Cloud, add them as keywords in the console."
        if not await _was_started(settings):
            return CheckPassed(message, f"{advice} {_FIRST}")
        raise CheckFailed(message, advice)
    if status.unreadable:
        raise CheckFailed(
            f"A running session cannot be read: {status.unreadable}.",
            "If the row installation names another namespace, correct that first. Otherwise set UNDERSIGN_PAYLOAD_KEYS "
            "to the keys of this installation, from a backup; see docs/engines.md.",
        )
    note = "Payloads are stored unencrypted; UNDERSIGN_PAYLOAD_KEYS encrypts them."
    return CheckPassed(
        f"It answers, with the namespace {status.namespace} and its search attributes.",
        note if settings.is_production and not status.is_encrypted else None,
    )


async def check_workers(settings: Settings) -> CheckPassed:
    """Checks that each task queue has a worker."""
    try:
        status = await _inspect(settings)
    except CheckFailed as failure:
        raise CheckSkipped("Temporal does not answer; see temporal.") from failure
    try:
        return judge_workers(status.workers, datetime.now(UTC))
    except CheckFailed as failure:
        if await _was_started(settings):
            raise
        return CheckPassed(str(failure), f"{failure.advice} {_FIRST}")


def judge_workers(queues: Mapping[str, PollerStatus], now: datetime) -> CheckPassed:
    """Returns the result for the workers of each queue; raises `CheckFailed` if a queue has none."""
    idle = [queue for queue, pollers in queues.items() if not pollers.workers]
    if idle:
        advice = next(problem for queue in idle if (problem := queues[queue].problem))
        raise CheckFailed(f"No worker polls {', '.join(idle)}.", advice)
    message = ", ".join(f"{queue}: {pollers.workers}" for queue, pollers in queues.items())
    silent = [queue for queue, pollers in queues.items() if pollers.last and now - pollers.last > SILENT]
    note = (
        f"No worker has polled {', '.join(silent)} for more than {SILENT.seconds} s. Temporal remembers a worker that "
        "was killed for five minutes: check again then, or check that the worker runs."
    )
    return CheckPassed(message, note if silent else None)


async def _inspect(settings: Settings) -> NamespaceStatus:
    try:
        return await check_namespace(settings.temporal)
    except TemporalUnusable as error:
        raise CheckFailed(error.problem, error.advice) from error
    except ConfigError as error:
        raise CheckFailed(
            str(error), "Correct TEMPORAL_* or the file with its profiles; see docs/engines.md."
        ) from error
