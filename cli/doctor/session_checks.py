"""Compares rows, runs and objects of recent sessions, to detect differences after a restore."""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

from adapters.database.engine import make_engine
from adapters.database.repositories.administrative_acts import DatabaseAdministrativeActs
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import SchemaState
from adapters.object_store.factory import open_object_store
from application.checks import CheckFailed, CheckPassed, CheckSkipped
from application.sessions.repair import Comparison
from cli.doctor.backend_checks import differences_of, state_of_schema
from config.settings import Settings
from domain.ports.database import DatabaseUnavailable
from domain.ports.object_store import ObjectStore, ObjectStoreError
from domain.session.list_query import SessionQuery
from domain.session.session import Session
from domain.shared.errors import Unavailable
from workflows.client.namespace_check import connect_queues
from workflows.client.runs import connect_runs

RUN_COUNT = 50
"""Number of the newest runs in Temporal whose rows are checked."""

ORGANISATION_COUNT, SESSIONS_EACH = 10, 10
"""Number of organisations, and of the last changed sessions of each, whose runs and objects are checked."""

LISTED = 3
"""The number of inconsistent sessions that are listed."""


class _Result(NamedTuple):
    """Sessions that are inconsistent with their runs, and missing objects."""

    problems: list[str]
    missing: list[str]
    stopped: int
    checked: int


async def check_sessions(settings: Settings) -> CheckPassed:
    """Checks that the newest sessions have a row, a run if they need one, and their objects."""
    try:
        state = await state_of_schema(settings)
    except DatabaseUnavailable as error:
        raise CheckSkipped("The database does not answer; see database.") from error
    if state in {SchemaState.MISSING, SchemaState.OLDER}:
        raise CheckSkipped("There are no tables yet, or they are of another version; see database.")
    try:
        if await differences_of(settings):
            raise CheckSkipped("This process is not one of the installation; see installation.")
        result = await _compare(settings)
    except Unavailable as error:
        raise CheckSkipped("Temporal does not answer; see temporal.") from error
    except ObjectStoreError as error:
        raise CheckSkipped(f"The object store does not answer: {error}") from error
    return _judge(result)


async def check_runs(settings: Settings) -> CheckPassed:
    """Checks that the workers can continue all runs."""
    try:
        failing = await (await connect_queues(settings.temporal)).failing_runs(LISTED)
    except Unavailable as error:
        raise CheckSkipped("Temporal does not answer; see temporal.") from error
    if failing:
        raise CheckFailed(f"The workers cannot continue {', '.join(failing)}.")
    return CheckPassed("The workers can continue all runs.")


def _judge(result: _Result) -> CheckPassed:
    if result.problems or result.stopped:
        stopped = [f"{result.stopped} have lost their run."] if result.stopped else []
        more = [f"And {len(result.problems) - LISTED} more."] if len(result.problems) > LISTED else []
        raise CheckFailed(" ".join([*stopped, *result.problems[:LISTED], *more]))
    if result.missing:
        raise CheckFailed(
            f"{len(result.missing)} objects are missing, such as {result.missing[0]}.",
            "Restore the object store to the time of the database or later.",
        )
    return CheckPassed(f"Rows, runs and objects of {result.checked} sessions are consistent.")


async def _compare(settings: Settings) -> _Result:
    engine = make_engine(settings.database_address, settings.database_limits)
    # Only the API signs URLs of a directory, so the key does not matter.
    objects = open_object_store(settings.object_store, settings.data_dir / "objects", bytes(32), settings.base_url)
    try:
        rows = DatabaseSessionRows(engine)
        comparison = Comparison(await connect_runs(settings.temporal), rows, DatabaseAdministrativeActs(engine))
        newest = [session async for session in _newest(DatabaseOrganisations(engine), rows)]
        problems = {one.session_id: one.problem async for one in comparison.compare_rows(RUN_COUNT)}
        for session in newest:
            if session.needs_run and (difference := await comparison.compare_run(session)):
                problems.setdefault(session.session_id, difference.problem)
        missing = [name for session in newest for name in await _missing(objects, session)]
        lines = [f"session/{session_id}: {problem}" for session_id, problem in problems.items()]
        return _Result(lines, missing, await rows.count_stopped(), len(newest))
    finally:
        await engine.dispose()


async def _newest(organisations: DatabaseOrganisations, rows: DatabaseSessionRows) -> AsyncIterator[Session]:
    for organisation in (await organisations.list())[:ORGANISATION_COUNT]:
        page = await rows.list_sessions(organisation.organisation_id, SessionQuery(limit=SESSIONS_EACH))
        for session in page.sessions:
            yield session


async def _missing(objects: ObjectStore, session: Session) -> list[str]:
    """Returns the names of the session's objects that are missing or have another digest."""
    references = [
        *(file.rendered for file in session.files),
        *(file.signed for file in session.files if file.signed is not None),
        *(recipient.submission for recipient in session.recipients if recipient.submission is not None),
    ]
    stored_objects = await asyncio.gather(*(objects.find(reference.name) for reference in references))
    return [reference.name for reference, stored in zip(references, stored_objects, strict=True) if stored != reference]
