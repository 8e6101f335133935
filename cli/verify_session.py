"""`undersign verify --session`: the history of a session in the database, and the documents that it led to."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import ValidationError

from adapters.processes.pool import SpawnedProcessPool
from cli.errors import NoSession
from cli.repositories import open_registry
from cli.verify import PATIENT, trusted_by
from cli.verify_documents import DocumentCheck, open_objects
from domain.audit.events import FIRST_PREVIOUS_HASH, Event
from domain.audit.hash_chain import find_break
from domain.audit.verification import Check, Finding, Outcome
from domain.session.session import Session
from domain.shared.errors import SigningError
from domain.shared.ids import OrganisationId, SessionId
from ports.database import SessionRows
from settings import Settings
from workflows.client.session_runs import connect_runs

_NONE = "That organisation has no session of that id."


class Kept(NamedTuple):
    """What is known of a session: its row and its events in the database, and what its workflow holds.

    `events` is None when a row of them cannot be understood; `held` is None when nobody could be asked.
    """

    row: Session
    events: tuple[Event, ...] | None
    held: Session | None


def check_session(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Finding, ...]:
    """What holds of the history of a session and of its documents, and what does not.

    Raises:
        NoSession: the organisation has no session of that id.
        EngineUnavailable: the database or the object store does not answer.
        KeyNotUsable: a certificate of a seal that is trusted here cannot be read.
    """
    return asyncio.run(_check(settings, organisation_id, session_id))


def findings_of(kept: Kept) -> Iterator[Finding]:
    """The chain in itself, its end against the session's row, and against what the workflow holds."""
    if kept.events is None:
        yield _failing("An event in the database cannot be understood: its row was changed.")
        return
    events = [{**event.facts(), "hash": event.hash} for event in kept.events]
    broken = find_break(events)
    if broken is not None:
        yield _failing(f"The chain of events is broken at event {broken.place} of {len(events)}: a row was changed.")
    else:
        yield _holding(f"The chain of {len(events)} events in the database is intact.")
    head = kept.events[-1].hash if kept.events else FIRST_PREVIOUS_HASH
    if (len(events), head) != (kept.row.sequence, kept.row.head):
        told = f"{kept.row.sequence} events that end with {kept.row.head}"
        yield _failing(f"The session's row tells of {told}; the events in the database are others: rows were changed.")
    yield _against_workflow(kept.events, kept.held)


def _against_workflow(events: tuple[Event, ...], held: Session | None) -> Finding:
    if held is None:
        text = "What the workflow holds was not compared: Temporal does not answer, or keeps that run no more."
        return Finding(check=Check.HISTORY, outcome=Outcome.OPEN, text=text)
    if held.sequence > len(events):
        return _failing(f"The workflow knows of {held.sequence} events, the database of {len(events)} only.")
    known = events[held.sequence - 1].hash if held.sequence else FIRST_PREVIOUS_HASH
    if known != held.head:
        return _failing(f"Event {held.sequence} in the database is not the one that the workflow holds.")
    return _holding(f"Its end is the one that the workflow holds: {held.head}.")


async def _check(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Finding, ...]:
    kept = await _collect(settings, organisation_id, session_id)
    pool = SpawnedProcessPool(1, limits=PATIENT)
    try:
        check = DocumentCheck(open_objects(settings), pool, trusted_by((), ()))
        of_documents = [one async for one in check.findings(kept.row, kept.events or ())]
    finally:
        await pool.close()
    return *findings_of(kept), *of_documents


async def _collect(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> Kept:
    async with open_registry(settings) as registry:
        rows = registry.sessions
        try:
            found = await rows.find_history(organisation_id, session_id)
        except ValidationError:
            return Kept(await _find(rows, organisation_id, session_id), None, None)
    if found is None:
        raise NoSession(_NONE)
    return Kept(found.session, found.events, await _held(settings, session_id))


async def _find(rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId) -> Session:
    try:
        row = await rows.find(organisation_id, session_id)
    except ValidationError as error:
        raise NoSession("The session's row in the database cannot be understood: it was changed.") from error
    if row is None:
        raise NoSession(_NONE)
    return row


async def _held(settings: Settings, session_id: SessionId) -> Session | None:
    runs = await connect_runs(settings.temporal)
    try:
        return await runs.read_session(session_id)
    except SigningError:
        return None


def _holding(text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=Outcome.HOLDS, text=text)


def _failing(text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=Outcome.FAILS, text=text)
