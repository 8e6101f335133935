"""Running sessions on a Temporal server, with fake effects."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from temporalio.client import Client
from temporalio.service import RPCError
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from application.session_actions import SessionActions
from domain.audit.events import Event
from domain.ports.session_requests import ActionRequest, SessionCommand
from domain.session.recipients import Recipient
from domain.session.session import Session, Transition
from domain.shared.errors import SessionNotFound
from domain.shared.ids import UserId
from domain.workflow_ids import erasure_id, session_workflow_id
from tests.builders import audit, created
from tests.fakes.effects import FakeEffects
from tests.workflows.waiting import eventually
from worker import running_workers
from workflows import activity_options
from workflows.client import runs as client_module
from workflows.client.runs import TemporalRuns
from workflows.sdk.interceptors import SafeUpdates
from workflows.session.signing_session import SigningSessionWorkflow
from workflows.workflow_types import WORKFLOWS

PassTime = Callable[[timedelta], Awaitable[None]]


class FreshSessions(SessionActions):
    """Acts on the current state of a session."""

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        return await super().act(await self._find(session), command, update_id)

    async def send(self, session: Session, request: ActionRequest, sent_by: UserId | None = None) -> Session:
        return await super().send(await self._find(session), request, sent_by)


@dataclass(frozen=True)
class Stage:
    """Running sessions with the effects they have."""

    client: Client
    sessions: FreshSessions
    runs: TemporalRuns
    effects: FakeEffects
    pass_time: PassTime
    """Skips that time; fails on a server that cannot."""

    async def start(self, step: Transition, *, send: bool = True, sent_by: UserId | None = None) -> Session:
        """A new session, sent at once by default."""
        return await self.sessions.create(step, audit(datetime.now(UTC)) if send else None, sent_by)

    async def send(self, *people: Recipient, invitations: int = 1, **settings: Any) -> Session:
        """A new session, sent to these people, once so many invitations have left."""
        step = created(*people, **{"name": f"Agreement {uuid4()}", **settings})
        return await invited(self, await self.start(step), invitations)

    async def is_at_rest(self, session: Session) -> bool:
        described = await self.client.get_workflow_handle(session_workflow_id(session.session_id)).describe()
        raw = described.raw_description
        return not raw.pending_activities and not raw.HasField("pending_workflow_task")

    async def recorded_revision(self) -> int:
        return max((session.revision for session in self.effects.recorded), default=-1)


async def _real_time(duration: timedelta) -> None:
    raise AssertionError(f"this server cannot skip {duration}")


@contextmanager
def patience() -> Iterator[None]:
    """Calls wait for as long as a busy machine takes."""
    minute = timedelta(minutes=1)
    with patch.multiple(client_module, START_TIMEOUT=minute, WRITE_TIMEOUT=minute):
        yield


@asynccontextmanager
async def set_stage(
    client: Client,
    pass_time: PassTime = _real_time,
    effects: FakeEffects | None = None,
    slots: int = 100,
    cached: int = 1000,
) -> AsyncIterator[Stage]:
    """Workers on `client`, each with `slots` concurrent tasks and `cached` runs."""
    effects = effects or FakeEffects()
    light = Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=WORKFLOWS,
        activities=effects.light(),
        interceptors=[SafeUpdates()],
        max_concurrent_workflow_tasks=slots,
        max_concurrent_activities=slots,
        max_cached_workflows=cached,
    )
    heavy = Worker(client, task_queue=DOCUMENTS_QUEUE, activities=[effects.generate_document, effects.augment_seal])
    # The clock of the time-skipping server stands once a workflow has started another.
    async with running_workers((light, heavy)):
        with patch.object(activity_options, "IN_FLIGHT_GRACE", timedelta(milliseconds=10)), patience():
            runs = TemporalRuns(client)
            yield Stage(client, FreshSessions(runs, effects.rows), runs, effects, pass_time)


@asynccontextmanager
async def set_clean_stage(client: Client) -> AsyncIterator[Stage]:
    """On a shared server: the runs of a test are terminated after it."""
    async with set_stage(client) as stage:
        yield stage
        left = [*stage.effects.rows.held, *stage.effects.buried]
    for workflow_id in (name(session_id) for session_id in left for name in (session_workflow_id, erasure_id)):
        with suppress(RPCError):
            await client.get_workflow_handle(workflow_id).terminate()


async def seen(stage: Stage, session: Session) -> Session:
    """The session as its row has it now."""
    found = await stage.effects.rows.find(session.organisation_id, session.session_id)
    if found is None:
        raise SessionNotFound
    return found


async def history(stage: Stage, session: Session) -> tuple[Event, ...]:
    """The recorded events of the session."""
    return await stage.effects.rows.events(session.organisation_id, session.session_id)


async def invited(stage: Stage, session: Session, count: int) -> Session:
    """The session once `count` invitations have left."""
    return await eventually(
        lambda: seen(stage, session), lambda now: sum(r.invitation.delivered for r in now.recipients) == count
    )


async def result_of(stage: Stage, session: Session) -> Session:
    """What the session's own run ended with."""
    handle = stage.client.get_workflow_handle_for(SigningSessionWorkflow.run, session_workflow_id(session.session_id))
    return await handle.result()


async def receipt_of(stage: Stage, session: Session) -> str:
    """What the erasure of the session ended with."""
    return await stage.client.get_workflow_handle(erasure_id(session.session_id), result_type=str).result()
