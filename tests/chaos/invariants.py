"""Checks the guarantees of the service once everything works again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence, Set
from contextlib import asynccontextmanager
from hashlib import sha256
from time import monotonic

import httpx
from sqlalchemy import text
from temporalio.client import WorkflowExecutionStatus

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.audit.events import Event
from domain.audit.hash_chain import chain_is_intact
from domain.callbacks.callback import event_id, is_announced
from domain.ports.database import SessionRows
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.object_names import session_prefix
from tests.chaos.cluster import Cluster
from tests.chaos.scenarios import RECIPIENTS, Outcome
from tests.chaos.users import WAIT_SECONDS, ApiClient, Inconsistency, Stuck, eventually
from tests.chaos.webhook_receiver import FailingReceiver
from tests.databases import LIMITS
from tests.outbox import Outbox
from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig


async def find_violations(
    cluster: Cluster, api: ApiClient, organisation: str, outcomes: Sequence[Outcome]
) -> list[str]:
    """Returns a line for each broken guarantee."""
    organisation_id = OrganisationId(organisation)
    found = [*_mails(cluster), *await _duplicate_sessions(cluster)]
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
    """No run of a workflow has failed."""
    temporal = await connect(TemporalConfig(cluster.temporal.address))
    async for run in temporal.list_workflows("ExecutionStatus != 'Running' AND ExecutionStatus != 'Completed'"):
        if run.status is not WorkflowExecutionStatus.CONTINUED_AS_NEW:
            yield f"the run {run.id} has ended as {run.status.name if run.status else 'unknown'}"


async def find_missing_callbacks(
    cluster: Cluster, receiver: FailingReceiver, organisation: str, outcomes: Sequence[Outcome]
) -> list[str]:
    """Returns a line for each callback that was announced and not received, or was not genuine."""
    found = [f"the callback {event} was not genuine" for event in receiver.forged]
    async with _rows(cluster) as rows:
        for outcome in outcomes:
            session_id = SessionId(outcome.session_id)
            # Of an erased session only the callback about its end is known: its events are deleted.
            if outcome.is_erased:
                found += _missing_callbacks(outcome, {session_id}, receiver.deleted)
            events = await rows.events(OrganisationId(organisation), session_id)
            session = await rows.find(OrganisationId(organisation), session_id)
            announced = {event_id(session_id, e.hash) for e in events if session and is_announced(e, session)}
            found += _missing_callbacks(outcome, announced, receiver.received)
    return found


def _missing_callbacks(outcome: Outcome, announced: Set[str], received: Set[str]) -> Iterator[str]:
    try:
        eventually(lambda: True if announced <= received else None, "callbacks")
    except Stuck:
        missing = f"{len(announced - received)} of {len(announced)} callbacks not received"
        yield f"{outcome.scenario} {outcome.session_id}: {missing}"


@asynccontextmanager
async def _rows(cluster: Cluster) -> AsyncIterator[SessionRows]:
    engine = make_engine(cluster.backends.database, LIMITS)
    try:
        yield DatabaseSessionRows(engine)
    finally:
        await engine.dispose()


def _mails(cluster: Cluster) -> Iterator[str]:
    """No cause has two mails; here, no recipient is invited again."""
    for message_id in cluster.backends.changed_mails():
        yield f"the mail {message_id} came again with other bytes"
    counts = Counter(mail.message_id for mail in Outbox(cluster.backends.outbox).mails())
    for message_id, count in counts.items():
        if count > 1:
            yield f"{count} mails {message_id}"
        if message_id.startswith("invitation.") and not message_id.rpartition(".")[2].startswith("1@"):
            yield f"a recipient was invited again: {message_id}"


async def _duplicate_sessions(cluster: Cluster) -> list[str]:
    """Returns a line for each idempotency key under which several sessions were created."""
    engine = make_engine(cluster.backends.database, LIMITS)
    async with engine.connect() as rows:
        found = await rows.execute(text("SELECT name, count(*) FROM sessions GROUP BY name HAVING count(*) > 1"))
        lines = [f"{count} sessions {name} were created for one key" for name, count in found]
    await engine.dispose()
    return lines


def _check_kept(api: ApiClient, outcome: Outcome) -> None:
    """It has the status that the scenario leads to, and every accepted signature."""
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
    """Each act is one event, in an intact chain."""
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
    """Each file has one signed PDF, the same bytes at each download."""
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
            _expect("downloaded", sorted(sha256(pdf).hexdigest() for pdf in downloaded), stored)


async def _check_erased(
    cluster: Cluster, api: ApiClient, rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId
) -> None:
    """The session is not found, nothing is left of it, and there is a receipt."""
    _expect("status of GET", api.call("GET", f"/api/v1/Session/{session_id}", also=(404,)).status_code, 404)
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


def _expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Inconsistency(f"{what}: {found}, not {expected}")
