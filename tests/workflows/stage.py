"""Running sessions on a Temporal server, with fake effects."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from temporalio.client import Client
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from domain.session import Session
from tests.fakes.effects import FakeEffects
from tests.workflows.waiting import eventually
from workflows.client import TemporalSessions
from workflows.safe_updates import SafeUpdates
from workflows.signing_session import SigningSessionWorkflow


@dataclass(frozen=True)
class Stage:
    """Running sessions with the effects they have."""

    client: Client
    sessions: TemporalSessions
    effects: FakeEffects

    async def recorded_revision(self) -> int:
        """The latest revision that was recorded."""
        return max((session.revision for session in self.effects.recorded), default=-1)


@asynccontextmanager
async def set_stage(client: Client) -> AsyncIterator[Stage]:
    """Workers on `client` for as long as the context lasts."""
    effects = FakeEffects()
    light = Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=[SigningSessionWorkflow],
        activities=[effects.record_session, effects.issue_link, effects.send_invitation, effects.erase_session],
        interceptors=[SafeUpdates()],
    )
    heavy = Worker(client, task_queue=DOCUMENTS_QUEUE, activities=[effects.generate_document])
    async with light, heavy:
        yield Stage(client, TemporalSessions(client), effects)


async def invited(stage: Stage, session: Session, count: int) -> Session:
    """The session once `count` invitations have left."""
    return await eventually(
        lambda: stage.sessions.snapshot(session.session_id),
        lambda now: sum(r.invitation.delivered for r in now.recipients) == count,
    )
