"""`undersign verify --session`: checks the audit trail of a session in the database, its entries, its signed PDFs."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from pydantic import ValidationError

from adapters.processes.pool import ForkServerPool
from application.documents.verify import check_file
from cli.backends import open_objects, open_repositories
from cli.output import BackendUnavailable, InvalidInput
from cli.verify.command import CHECK_LIMITS, read_trusted_certificates
from domain.audit.events import Event
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH, find_break
from domain.audit.verification_report import Check, Finding, Outcome
from domain.seal.materials import Materials, matches_history
from domain.session.recipients import Recipient
from domain.session.session import Session, SessionFile
from domain.shared.errors import SigningError
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.object_names import ObjectReference
from ports.object_store import ObjectDamaged, ObjectMissing, ObjectStore, ObjectStoreError
from ports.process_pool import ProcessDied, ProcessPool
from ports.seals import TrustAnchors
from settings import Settings
from workflows.client.session_and_batch_runs import connect_runs

_NONE = "That organisation has no session of that id."


class SessionRecords(NamedTuple):
    """The row and the events of a session in the database, and its state in the workflow.

    `events` is None if a row cannot be parsed; `workflow_session` is None if Temporal does not respond.
    """

    row: Session
    events: tuple[Event, ...] | None
    workflow_session: Session | None


async def check_session(
    settings: Settings, organisation_id: OrganisationId, session_id: SessionId
) -> tuple[Finding, ...]:
    """Returns the findings on the audit trail of a session and on its documents."""
    records = await _read_records(settings, organisation_id, session_id)
    pool = ForkServerPool(1, limits=CHECK_LIMITS)
    try:
        check = DocumentCheck(open_objects(settings), pool, read_trusted_certificates((), ()))
        of_documents = [one async for one in check.findings(records.row, records.events or ())]
    finally:
        await pool.close()
    return *check_history(records), *of_documents


def check_history(records: SessionRecords) -> Iterator[Finding]:
    """Checks the hash chain, and its end against the session's row and the workflow."""
    if records.events is None:
        yield _history(Outcome.FAILS, "An event in the database cannot be read: its row was changed.")
        return
    events, row = records.events, records.row
    broken = find_break([{**event.facts(), "hash": event.hash} for event in events])
    if broken is None:
        yield _history(Outcome.HOLDS, f"The chain of {len(events)} events in the database is intact.")
    else:
        text = f"The chain of events is broken at event {broken.place} of {len(events)}: a row was changed."
        yield _history(Outcome.FAILS, text)
    if (len(events), events[-1].hash if events else FIRST_PREVIOUS_HASH) != (row.sequence, row.head):
        text = (
            f"The session's row names {row.sequence} events that end with {row.head}; the events in the database are "
            "others: rows were changed."
        )
        yield _history(Outcome.FAILS, text)
    yield _compare_with_workflow(events, records.workflow_session)


def _compare_with_workflow(events: tuple[Event, ...], session: Session | None) -> Finding:
    if session is None:
        text = "The workflow was not compared: Temporal does not answer, or has deleted the run."
        return _history(Outcome.OPEN, text)
    if session.sequence > len(events):
        text = f"The workflow has {session.sequence} events, the database only {len(events)}."
        return _history(Outcome.FAILS, text)
    head = events[session.sequence - 1].hash if session.sequence else FIRST_PREVIOUS_HASH
    if head != session.head:
        text = f"Event {session.sequence} in the database is not the one in the workflow."
        return _history(Outcome.FAILS, text)
    return _history(Outcome.HOLDS, f"Its end is the one in the workflow: {session.head}.")


async def _read_records(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> SessionRecords:
    async with open_repositories(settings) as database:
        try:
            history = await database.sessions.find_history(organisation_id, session_id)
        except ValidationError:
            try:
                row = await database.sessions.find(organisation_id, session_id)
            except ValidationError as error:
                raise InvalidInput("The session's row in the database cannot be read: it was changed.") from error
            if row is None:
                raise InvalidInput(_NONE) from None
            return SessionRecords(row, None, None)
    if history is None:
        raise InvalidInput(_NONE)
    try:
        workflow_session = await (await connect_runs(settings.temporal)).read_session(session_id)
    except SigningError:
        workflow_session = None
    return SessionRecords(history.session, history.events, workflow_session)


class DocumentCheck:
    """Compares the objects of a session with its row and its audit trail."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, trusted: TrustAnchors) -> None:
        self._objects = objects
        self._pool = pool
        self._trusted = trusted

    async def findings(self, session: Session, events: Sequence[Event]) -> AsyncIterator[Finding]:
        """Yields a finding for the entries or the approval of each recipient, and for each signed PDF."""
        try:
            for recipient in session.recipients:
                if recipient.submission is not None:
                    yield await self._check_entries(recipient, recipient.submission, events)
                elif recipient.approves and recipient.completed_at is not None:
                    yield _check_approval(recipient, events)
            for file in session.files:
                if file.signed is not None:
                    yield await self._check_document(session, file, file.signed)
        except ObjectStoreError as error:
            raise BackendUnavailable(f"The object store failed: {error}") from error

    async def _check_entries(self, recipient: Recipient, entries: ObjectReference, events: Sequence[Event]) -> Finding:
        subject = f"The entries of “{recipient.name}”"
        if not matches_history(recipient, events):
            return _fails(f"{subject} are not those in the audit trail, or were made at another time.")
        try:
            await self._objects.get(entries)
        except (ObjectMissing, ObjectDamaged) as error:
            return _fails(f"{subject} {_lost(error)} ({entries.name}).")
        return _holds(f"{subject} are those in the audit trail.")

    async def _check_document(self, session: Session, file: SessionFile, signed: ObjectReference) -> Finding:
        subject = f"The signed PDF of “{file.title}”"
        try:
            report = await self._pool.run(check_file, await self._objects.get(signed), self._trusted, datetime.now(UTC))
        except (ObjectMissing, ObjectDamaged) as error:
            return _fails(f"{subject} {_lost(error)} ({signed.name}).")
        except ProcessDied:
            return _fails(f"{subject} exceeds the limit of time or memory for checks.")
        materials, statement = Materials.of(session, file), report.seal.statement if report.seal else None
        if not report.verdict.is_intact or statement is None:
            return _fails(f"{subject} does not hold. {report.summary}")
        if statement != materials.statement:
            return _fails(
                f"{subject} was made from other entries, pages or times than those of the session, or for another "
                f"document. Its seal says: {statement.text}"
            )
        return _holds(f"{subject} was made from the entries, pages and times of the session: {materials.sha256}.")


def _check_approval(recipient: Recipient, events: Sequence[Event]) -> Finding:
    subject = f"The approval of “{recipient.name}”"
    if not matches_history(recipient, events):
        return _fails(f"{subject} is not that in the audit trail, or was given at another time.")
    return _holds(f"{subject} is that in the audit trail.")


def _lost(error: ObjectStoreError) -> str:
    is_missing = isinstance(error, ObjectMissing)
    return "cannot be found in the object store" if is_missing else "cannot be used: what is stored was changed"


def _history(outcome: Outcome, text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=outcome, text=text)


def _holds(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.HOLDS, text=text)


def _fails(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)
