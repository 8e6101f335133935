"""Sessions without Temporal: the rules of the domain on real rows, and runs in memory."""

from asyncio import Lock
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from application.session_actions import SessionActions
from domain.audit.events import Event
from domain.callbacks.callback import Callback
from domain.ports.session_requests import ActionResult, SessionCommand
from domain.ports.temporal import NotRunning
from domain.session.session import Session, Transition
from domain.session.waiting_for import RetryStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import OrganisationId, SessionId

LINK_KEY = b"k" * 32


class WitnessedRows(DatabaseSessionRows):
    """Rows that show what was written into them last."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self.held: dict[SessionId, Session] = {}

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        await super().record(session, events, callbacks)
        self.held[session.session_id] = session

    async def change(self, before: Session | None, session: Session, *args: Any, **options: Any) -> bool:
        has_changed = await super().change(before, session, *args, **options)
        if has_changed:
            self.held[session.session_id] = session
        return has_changed

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, *args: Any, **options: Any) -> None:
        await super().erase(organisation_id, session_id, *args, **options)
        self.held.pop(session_id, None)


class FakeRuns:
    """Implements `domain.ports.temporal.Runs`. Nothing is mailed, and every invitation counts as delivered; nothing
    is generated.

    A session that was `started` has a run, until it is `closed`. While `is_away`, as when Temporal does not answer,
    nothing is started or done.
    """

    def __init__(self, rows: WitnessedRows) -> None:
        self._rows = rows
        self.started: set[SessionId] = set()
        self.closed: set[SessionId] = set()
        self.updates: dict[str, ActionResult] = {}
        self.retrying: dict[SessionId, tuple[RetryStatus, ...]] = {}
        self.erased: list[SessionId] = []
        self.is_away = False
        self._turn = Lock()  # a run takes one act after another

    async def start(self, session: Session) -> bool:
        await self.check()
        if session.session_id in self.started:
            return False
        self.started.add(session.session_id)
        await self.hold(Transition(session))
        return True

    async def act(self, session_id: SessionId, command: SessionCommand, update_id: str | None = None) -> ActionResult:
        await self.check()
        async with self._turn:
            return await self._act(session_id, command, update_id)

    async def _act(self, session_id: SessionId, command: SessionCommand, update_id: str | None) -> ActionResult:
        before = self.session(session_id)
        if before is None or session_id not in self.started - self.closed:
            raise NotRunning
        if update_id in self.updates:
            return self.updates[update_id]
        command.check(before)
        taken = await self.take(command.decide(before))
        if update_id is not None:
            self.updates[update_id] = taken
        return taken

    def session(self, session_id: SessionId) -> Session | None:
        """The session as its run has it."""
        return self._rows.held.get(session_id)

    async def take(self, step: Transition) -> ActionResult:
        """Takes a step of a running session."""
        return ActionResult(session=await self.hold(step), events=step.events, callbacks=())

    async def hold(self, step: Transition) -> Session:
        """Goes on from `step`, once its emails have left."""
        session = step.session
        for recipient in session.recipients:
            if recipient.has_pending_invitation:
                session = session.with_delivery(recipient.recipient_id, recipient.invitation.number)
            session = session.with_reminder(recipient.recipient_id, recipient.reminders)
        session = session.with_next_revision()
        await self._rows.record(session, step.events)
        return session

    async def retries(self, session_id: SessionId) -> tuple[RetryStatus, ...]:
        return self.retrying.get(session_id, ())

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        await self.check()
        self.erased.append(session_id)

    async def check(self) -> None:
        if self.is_away:
            raise Unavailable


class FakeSessions(SessionActions):
    """The service's own acts, on `FakeRuns`."""

    def __init__(self, rows: WitnessedRows) -> None:
        self.runs, self.rows, self.held = FakeRuns(rows), rows, rows.held
        self.closed, self.retrying = self.runs.closed, self.runs.retrying
        super().__init__(self.runs, rows)

    async def take(self, step: Transition) -> Session:
        """Takes a step that no request asks for."""
        return await self.runs.hold(step)

    async def become(self, session: Session) -> None:
        """Has the session be as given, whatever it was before."""
        await self.rows.record(session.with_next_revision(), ())
