"""What must be true when everything works again, whatever happened before."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence, Set
from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from time import monotonic

import httpx
from temporalio.client import WorkflowExecutionStatus

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.audit.events import Event, chain_is_intact
from domain.callbacks.callback import ANNOUNCED, event_id
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.object_names import session_prefix
from ports.database import SessionRows
from tests.chaos.backends import duplicate_names
from tests.chaos.cluster import Cluster
from tests.chaos.scenarios import RECIPIENTS, Outcome
from tests.chaos.users import WAIT_SECONDS, ApiClient, Inconsistency, Stuck, eventually
from tests.chaos.webhook_receiver import FailingReceiver
from tests.databases import LIMITS
from tests.outbox import Outbox
from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect


async def find_violations(
    cluster: Cluster, api: ApiClient, organisation: str, outcomes: Sequence[Outcome]
) -> list[str]:
    """Everything that is not as it was promised, a line each."""
    organisation_id = OrganisationId(organisation)
    found = [*_mails(Outbox(cluster.outbox)), *await _duplicate_sessions(cluster), *cluster.backends.faults()]
    async with _rows(cluster) as rows:
        for outcome in outcomes:
            session_id = SessionId(outcome.session_id)
            try:
                if outcome.is_erased:
                    await _check_erased(cluster, api, rows, organisation_id, session_id)
                else:
                    _check_kept(api, outcome)
                    _check_events(await rows.events(organisation_id, session_id), outcome)
                    _check_documents(cluster, api, organisation_id, outcome)
            except (Inconsistency, Stuck) as fault:
                found.append(f"{outcome.scenario} {session_id}: {fault}")
    return found + [line async for line in _runs(cluster)]


async def _runs(cluster: Cluster) -> AsyncIterator[str]:
    """No run of a workflow has failed, whatever happened to its activities."""
    temporal = await connect(TemporalConfig(cluster.temporal.address))
    async for run in temporal.list_workflows("ExecutionStatus != 'Running' AND ExecutionStatus != 'Completed'"):
        if run.status is not WorkflowExecutionStatus.CONTINUED_AS_NEW:
            yield f"the run {run.id} has ended as {run.status.name if run.status else 'unknown'}"


async def find_missing_callbacks(
    cluster: Cluster, receiver: FailingReceiver, organisation: str, outcomes: Sequence[Outcome]
) -> list[str]:
    """What was announced and never received, or was not genuine; a line each."""
    found = [f"the callback {event} was not genuine" for event in receiver.forged]
    async with _rows(cluster) as rows:
        for outcome in outcomes:
            session_id = SessionId(outcome.session_id)
            # Of an erased session no events are left to say what was announced of it, but for its end.
            if outcome.is_erased:
                found += _missing_callbacks(outcome, {session_id}, receiver.deleted)
            events = await rows.events(OrganisationId(organisation), session_id)
            wanted = {event_id(session_id, event.hash) for event in events if event.type in ANNOUNCED}
            found += _missing_callbacks(outcome, wanted, receiver.received)
    return found


def _missing_callbacks(outcome: Outcome, wanted: Set[str], received: Set[str]) -> Iterator[str]:
    try:
        eventually(lambda: True if wanted <= received else None, "callbacks")
    except Stuck:
        missing = f"{len(wanted - received)} of {len(wanted)} callbacks not received"
        yield f"{outcome.scenario} {outcome.session_id}: {missing}"


@asynccontextmanager
async def _rows(cluster: Cluster) -> AsyncIterator[SessionRows]:
    engine = make_engine(cluster.backends.database, LIMITS)
    try:
        yield DatabaseSessionRows(engine)
    finally:
        await engine.dispose()


def _mails(outbox: Outbox) -> Iterator[str]:
    """No cause has two mails; here, nobody was asked twice at all."""
    counts = Counter(mail.message_id for mail in outbox.mails())
    for message_id, count in counts.items():
        if count > 1:
            yield f"{count} mails {message_id}"
        if message_id.startswith("invitation.") and not message_id.rpartition(".")[2].startswith("1@"):
            yield f"somebody was invited again: {message_id}"


async def _duplicate_sessions(cluster: Cluster) -> list[str]:
    """Returns a line for each idempotency key under which several sessions were created."""
    twice = await duplicate_names(cluster.backends)
    return [f"{count} sessions {name} were made for one key" for name, count in twice]


def _check_kept(api: ApiClient, outcome: Outcome) -> None:
    """It is where it was told to be, and who has signed has signed."""
    session = eventually(
        lambda: now if (now := api.session(outcome.session_id))["status"] == outcome.status else None,
        f"is {api.session(outcome.session_id)['status']}, not {outcome.status}",
    )
    for member in ("name", "createdAt"):
        _expect(member, session[member], outcome.created[member])
    for of, members in (("files", ("fileId", "sha256")), ("recipients", ("recipientId", "key", "name", "email"))):
        now, then = ([[one[m] for m in members] for one in it[of]] for it in (session, outcome.created))
        _expect(of, now, then)
    signed = tuple(r["key"] for r in session["recipients"] if r["status"] == "completed")
    _expect("who signed", sorted(signed), sorted(outcome.signed))


def _check_events(events: Sequence[Event], outcome: Outcome) -> None:
    """Each act once, in a chain that is whole."""
    if not chain_is_intact(events):
        scenario = ", ".join(f"{event.sequence} {event.type.value} {event.at:%M:%S.%f}" for event in events)
        raise Inconsistency(f"the chain of events is broken: {scenario}")
    counts = Counter(event.type.value for event in events)
    is_done = len(outcome.signed) == len(RECIPIENTS)
    expected = {
        "session.created": 1,
        "session.sent": 1,
        "recipient.invited": len(RECIPIENTS) if outcome.signed else 1,
        "recipient.completed": len(outcome.signed),
        "session.completed": int(is_done),
        "session.documentsGenerated": int(is_done),
        "session.declined": int(outcome.status == "declined"),
        "session.archived": outcome.archived,
        "session.restored": outcome.archived - (outcome.status == "cancelled"),
    }
    for name, count in expected.items():
        _expect(f"events {name}", counts[name], count)
    sequence = [event.sequence for event in events]
    _expect("sequence numbers", sequence, list(range(sequence[0], sequence[0] + len(events))))


def _check_documents(cluster: Cluster, api: ApiClient, organisation_id: OrganisationId, outcome: Outcome) -> None:
    """One signed PDF a file, the same bytes each time it is asked for."""
    stored = cluster.backends.signed(session_prefix(organisation_id, SessionId(outcome.session_id)))
    if len(outcome.signed) < len(RECIPIENTS):
        _expect("signed PDFs", len(stored), 0)
        return
    _expect("signed PDFs", len(stored), outcome.files)
    if outcome.status == "completedAndGenerated":
        said = api.session(outcome.session_id)["files"]
        _expect("SHA-256 of signed PDFs", sorted(file["signedSha256"] for file in said), stored)
        for _ in range(2):
            answer = api.call("GET", f"/api/v1/Session/{outcome.session_id}/Documents").json()
            downloaded = [httpx.get(one["url"], trust_env=False, timeout=20).content for one in answer["documents"]]
            _expect("handed out", sorted(sha256(pdf).hexdigest() for pdf in downloaded), stored)


async def _check_erased(
    cluster: Cluster, api: ApiClient, rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId
) -> None:
    """Nobody finds it, nothing is left of it, and there is a receipt."""
    _expect("status of GET", api.call("GET", f"/api/v1/Session/{session_id}", also=(404,)).status_code, _NOT_FOUND)
    _expect("row", await rows.find(organisation_id, session_id), None)
    _expect("tombstone", await rows.is_erased(organisation_id, session_id), True)
    prefix = session_prefix(organisation_id, session_id)
    eventually(lambda: None if cluster.backends.has_objects(prefix) else True, "objects are left of what was erased")
    await _await_receipt(rows, organisation_id, session_id)


async def _await_receipt(rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId) -> None:
    deadline = monotonic() + WAIT_SECONDS
    while await rows.find_receipt(organisation_id, session_id) is None:
        if monotonic() > deadline:
            raise Stuck("the erasure has no receipt")
        await asyncio.sleep(0.25)


def _expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Inconsistency(f"{what}: {found}, not {wanted}")


_NOT_FOUND = HTTPStatus.NOT_FOUND
