"""`undersign verify --session`: checks the audit trail of a session in the database, its entries, its signed PDFs."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from typing import NamedTuple

from pydantic import ValidationError

from adapters.processes.pool import ForkServerPool
from application.documents.verify import check_file
from cli.backends import open_objects, open_repositories
from cli.output import BackendUnavailable, InvalidInput
from cli.verify.command import CHECK_LIMITS, read_trusted_certificates
from config.settings import Settings
from domain.audit.events import Event, EventType
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH, find_break
from domain.audit.verification_report import Check, Finding, Outcome
from domain.ports.administrative_acts import ActKind, AdministrativeAct, find_lost_events
from domain.ports.object_store import ObjectDamaged, ObjectMissing, ObjectStore, ObjectStoreError
from domain.ports.process_pool import ProcessDied, ProcessPool
from domain.ports.seals import TrustAnchors
from domain.session.materials import Materials, matches_history
from domain.session.recipients import Recipient
from domain.session.session import Session, SessionFile
from domain.shared.errors import SigningError
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.object_names import ObjectReference
from workflows.client.runs import connect_runs

_AGREES = {False: "are those", True: "is that"}
_DIFFERS = {
    False: "are not those in the audit trail, or were made at another time.",
    True: "is not that in the audit trail, or was given at another time.",
}
"""By whether the recipient approves."""

_NONE = "That organisation has no session of that id."


class SessionRecords(NamedTuple):
    """The row and the events of a session in the database, and its state in the workflow.

    `events` is None if a row cannot be parsed; `workflow_session` is None if Temporal does not respond. `repairs` are
    the acts of `undersign repair` that recorded lost events.
    """

    row: Session
    events: tuple[Event, ...] | None
    workflow_session: Session | None
    repairs: tuple[AdministrativeAct, ...] = ()

    @property
    def lost(self) -> frozenset[int]:
        """The numbers of the events that a restore has lost."""
        return find_lost_events(self.repairs, self.events or ())


async def check_session(
    settings: Settings, organisation_id: OrganisationId, session_id: SessionId
) -> tuple[Finding, ...]:
    """Returns the findings on the audit trail of a session and on its documents."""
    records = await _read_records(settings, organisation_id, session_id)
    pool = ForkServerPool(1, limits=CHECK_LIMITS)
    try:
        check = DocumentCheck(open_objects(settings), pool, read_trusted_certificates((), ()))
        of_documents = [one async for one in check.findings(records)]
    finally:
        await pool.close()
    return *check_history(records), *of_documents


def check_history(records: SessionRecords) -> Iterator[Finding]:
    """Checks the hash chain, and its end against the session's row and the workflow."""
    if records.events is None:
        yield _history(Outcome.FAILS, "An event in the database cannot be read: its row was changed.")
        return
    events, row, lost = records.events, records.row, records.lost
    broken = find_break([{**event.facts(), "hash": event.hash} for event in events], lost)
    if lost:
        yield _history(Outcome.OPEN, _about_lost(records.repairs, lost))
    if broken is None:
        yield _history(Outcome.HOLDS, f"The chain of {len(events)} events in the database is intact.")
    else:
        text = f"The chain of events is broken at event {broken.place} of {len(events)}: a row was changed."
        yield _history(Outcome.FAILS, text)
    last = (events[-1].sequence, events[-1].hash) if events else (0, FIRST_PREVIOUS_HASH)
    if last[0] < row.sequence and lost.issuperset(range(last[0] + 1, row.sequence + 1)):
        last = row.sequence, row.head  # the row and the run have outlived their last event
    if last != (row.sequence, row.head):
        text = (
            f"The session's row names {row.sequence} events that end with {row.head}; the events in the database are "
            "others: rows were changed."
        )
        yield _history(Outcome.FAILS, text)
    heads = {0: FIRST_PREVIOUS_HASH, **{event.sequence: event.hash for event in events}, last[0]: last[1]}
    yield _compare_with_workflow(heads, last[0], records.workflow_session)


def _about_lost(repairs: Sequence[AdministrativeAct], lost: Set[int]) -> str:
    which = f"event {min(lost)}" if len(lost) == 1 else f"{len(lost)} events, from {min(lost)} to {max(lost)},"
    return (
        f"A restore lost {which} of this session, as undersign repair recorded on {repairs[0].at:%d %B %Y}. "
        "The other events are checked."
    )


def _compare_with_workflow(heads: Mapping[int, str], last: int, session: Session | None) -> Finding:
    """Compares the workflow with the hashes of the events by their number, of which `last` is the newest."""
    if session is None:
        text = "The workflow was not compared: Temporal does not answer, or has deleted the run."
        return _history(Outcome.OPEN, text)
    if session.sequence > last:
        text = f"The workflow has {session.sequence} events, the database only {last}."
        return _history(Outcome.FAILS, text)
    if heads.get(session.sequence) != session.head:
        text = f"Event {session.sequence} in the database is not the one in the workflow."
        return _history(Outcome.FAILS, text)
    return _history(Outcome.HOLDS, f"Its end is the one in the workflow: {session.head}.")


async def _read_records(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> SessionRecords:
    async with open_repositories(settings) as database:
        acts = await database.acts.list_about(organisation_id, session_id)
        repairs = tuple(act for act in acts if act.change.kind is ActKind.SESSION_REPAIRED)
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
    return SessionRecords(history.session, history.events, workflow_session, repairs)


class DocumentCheck:
    """Compares the objects of a session with its row and its audit trail."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, trusted: TrustAnchors) -> None:
        self._objects = objects
        self._pool = pool
        self._trusted = trusted

    async def findings(self, records: SessionRecords) -> AsyncIterator[Finding]:
        """Yields a finding for the entries or the approval of each recipient, and for each signed PDF."""
        session = records.row
        try:
            for recipient in session.recipients:
                if recipient.submission is not None:
                    yield await self._check_entries(recipient, recipient.submission, records)
                elif recipient.approves and recipient.completed_at is not None:
                    yield _check_act(f"The approval of “{recipient.name}”", recipient, records)
            for file in session.files:
                if file.signed is not None:
                    yield await self._check_document(session, file, file.signed)
        except ObjectStoreError as error:
            raise BackendUnavailable(f"The object store failed: {error}") from error

    async def _check_entries(self, recipient: Recipient, entries: ObjectReference, records: SessionRecords) -> Finding:
        subject = f"The entries of “{recipient.name}”"
        found = _check_act(subject, recipient, records)
        if found.outcome is Outcome.FAILS:
            return found
        try:
            await self._objects.get(entries)
        except (ObjectMissing, ObjectDamaged) as error:
            return _fails(f"{subject} {_lost(error)} ({entries.name}).")
        return found

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


def _check_act(subject: str, recipient: Recipient, records: SessionRecords) -> Finding:
    """Compares the entries or the approval of a recipient with the event about it, unless that event is lost."""
    events = records.events or ()
    if matches_history(recipient, events):
        return _holds(f"{subject} {_AGREES[recipient.approves]} in the audit trail.")
    acted = (EventType.RECIPIENT_COMPLETED, EventType.RECIPIENT_APPROVED)
    own = [event for event in events if event.details.get("recipientId") == recipient.recipient_id]
    if records.lost and not any(event.type in acted for event in own):
        return Finding(
            check=Check.DOCUMENT, outcome=Outcome.OPEN, text=f"{subject}: their event may be among the lost ones."
        )
    return _fails(f"{subject} {_DIFFERS[recipient.approves]}")


def _lost(error: ObjectStoreError) -> str:
    is_missing = isinstance(error, ObjectMissing)
    return "cannot be found in the object store" if is_missing else "cannot be used: what is stored was changed"


def _history(outcome: Outcome, text: str) -> Finding:
    return Finding(check=Check.HISTORY, outcome=outcome, text=text)


def _holds(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.HOLDS, text=text)


def _fails(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)
