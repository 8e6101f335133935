"""`undersign verify --session`: checks the audit trail of a session in the database, and its documents."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import ValidationError

from adapters.processes.pool import SpawnedProcessPool
from cli.backends import open_repositories
from cli.errors import InvalidInput
from cli.verify.command import CHECK_LIMITS, read_trusted_certificates
from cli.verify.session_documents import DocumentCheck, open_objects
from domain.audit.events import Event
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH, find_break
from domain.audit.verification import Check, Finding, Outcome
from domain.session.session import Session
from domain.shared.errors import SigningError
from domain.shared.ids import OrganisationId, SessionId
from ports.database import SessionRows
from settings import Settings
from workflows.client.session_runs import connect_runs

_NONE = "That organisation has no session of that id."


class SessionRecords(NamedTuple):
    """The row and the events of a session in the database, and its state in the workflow.

    `events` is None if a row cannot be parsed; `workflow_session` is None if Temporal does not answer.
    """

    row: Session
    events: tuple[Event, ...] | None
    workflow_session: Session | None


def check_session(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Finding, ...]:
    """Returns the findings on the audit trail of a session and on its documents.

    Raises:
        InvalidInput: the organisation has no session of that id.
        BackendUnavailable: the database or the object store does not answer.
        InvalidInput: a trusted certificate cannot be read.
    """
    return asyncio.run(_check(settings, organisation_id, session_id))


def check_history(records: SessionRecords) -> Iterator[Finding]:
    """Checks the hash chain, and its end against the session's row and the workflow."""
    if records.events is None:
        yield _fails("An event in the database cannot be understood: its row was changed.")
        return
    events = [{**event.facts(), "hash": event.hash} for event in records.events]
    broken = find_break(events)
    if broken is not None:
        yield _fails(f"The chain of events is broken at event {broken.place} of {len(events)}: a row was changed.")
    else:
        yield _holds(f"The chain of {len(events)} events in the database is intact.")
    head = records.events[-1].hash if records.events else FIRST_PREVIOUS_HASH
    if (len(events), head) != (records.row.sequence, records.row.head):
        told = f"{records.row.sequence} events that end with {records.row.head}"
        yield _fails(f"The session's row tells of {told}; the events in the database are others: rows were changed.")
    yield _against_workflow(records.events, records.workflow_session)


def _against_workflow(events: tuple[Event, ...], workflow_session: Session | None) -> Finding:
    if workflow_session is None:
        text = "What the workflow holds was not compared: Temporal does not answer, or keeps that run no more."
        return Finding(check=Check.HISTORY, outcome=Outcome.OPEN, text=text)
    if workflow_session.sequence > len(events):
        return _fails(f"The workflow knows of {workflow_session.sequence} events, the database of {len(events)} only.")
    known = events[workflow_session.sequence - 1].hash if workflow_session.sequence else FIRST_PREVIOUS_HASH
    if known != workflow_session.head:
        return _fails(f"Event {workflow_session.sequence} in the database is not the one that the workflow holds.")
    return _holds(f"Its end is the one that the workflow holds: {workflow_session.head}.")


async def _check(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Finding, ...]:
    records = await _collect(settings, organisation_id, session_id)
    pool = SpawnedProcessPool(1, limits=CHECK_LIMITS)
    try:
        check = DocumentCheck(open_objects(settings), pool, read_trusted_certificates((), ()))
        of_documents = [one async for one in check.findings(records.row, records.events or ())]
    finally:
        await pool.close()
    return *check_history(records), *of_documents


async def _collect(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> SessionRecords:
    async with open_repositories(settings) as repositories:
        rows = repositories.sessions
        try:
            found = await rows.find_history(organisation_id, session_id)
        except ValidationError:
            return SessionRecords(await _find(rows, organisation_id, session_id), None, None)
    if found is None:
        raise InvalidInput(_NONE)
    return SessionRecords(found.session, found.events, await _read_workflow_session(settings, session_id))


async def _find(rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId) -> Session:
    try:
        row = await rows.find(organisation_id, session_id)
    except ValidationError as error:
        raise InvalidInput("The session's row in the database cannot be understood: it was changed.") from error
    if row is None:
        raise InvalidInput(_NONE)
    return row


async def _read_workflow_session(settings: Settings, session_id: SessionId) -> Session | None:
    runs = await connect_runs(settings.temporal)
    try:
        return await runs.read_session(session_id)
    except SigningError:
        return None


def _holds(text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=Outcome.HOLDS, text=text)


def _fails(text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=Outcome.FAILS, text=text)
