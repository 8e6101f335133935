"""Applies actions to sessions, and writes the row before an action returns.

An action on a session without a run (a draft, or one whose run has ended) changes its row. An action on a session with
a run is an update of the run.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import structlog

from domain.audit.events import AuditContext
from domain.callbacks.callback import callback_of_deletion, callbacks_of
from domain.ports.database import SessionRows
from domain.ports.session_requests import ActionRequest, SessionCommand
from domain.ports.temporal import NotRunning, Runs
from domain.session.edits import edit_draft
from domain.session.session import Session, Transition
from domain.session.status import SessionStatus
from domain.session.waiting_for import RetryStatus
from domain.shared.errors import SessionNotFound, Unavailable
from domain.shared.ids import UserId

log = structlog.get_logger(__name__)

STOPPED = (
    "The run of this session was stopped by an operator, or lost; no data is lost. It continues once an operator has "
    "restarted it with `undersign repair`."
)

LEFT_TO_WORKERS = timedelta(seconds=10)
"""Delay after which a worker starts a run, or an erasure, that the API has not started."""


class DraftEdited(Exception):
    """The recipients of the draft have changed since it was read. `session` is the current draft."""

    def __init__(self, session: Session) -> None:
        self.session = session
        super().__init__()


class SessionActions:
    """Actions on sessions. Each returns the session after the action.

    They raise their own `SigningError`, `SessionNotFound`, and `Unavailable` or `DatabaseUnavailable` if a backend does
    not respond in time. The action may then have succeeded, which a repeated call shows.
    """

    def __init__(self, runs: Runs, rows: SessionRows) -> None:
        self._runs = runs
        self._rows = rows

    async def create(
        self, created: Transition, send: AuditContext | None = None, sent_by: UserId | None = None
    ) -> Session:
        """Stores a new session, and sends it if `send` is given. Returns an existing session of that id unchanged."""
        step = created.then(created.session.send(send, sent_by)) if send else created
        if await self._change(None, created.session, step):
            return await self._started(step.session) if send else step.session
        return await self._find(created.session)

    async def send(self, session: Session, request: ActionRequest, sent_by: UserId | None = None) -> Session:
        """Sends a draft. Raises `DraftEdited` if its recipients have changed since its limits were charged."""
        while True:
            step = _next(session, session.send(request.audit, sent_by))
            if await self._change(session, session, step):
                return await self._started(step.session)
            found = await self._find(session)
            if found.status is SessionStatus.DRAFT and found.recipients != session.recipients:
                raise DraftEdited(found)
            session = found

    async def edit(self, session: Session, values: Mapping[str, object], audit: AuditContext) -> Session:
        """Changes members of a draft, all of them or none."""
        while True:
            step = _next(session, edit_draft(session, values, audit))
            if step.session == session or await self._change(session, session, step):
                return step.session
            session = await self._find(session)

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        """Executes the command; a repeated `update_id` returns the first result."""
        is_started = False
        while True:
            if session.underlying_status is not SessionStatus.DRAFT:
                try:
                    result = await self._runs.act(session.session_id, command, update_id)
                except NotRunning:
                    session = await self._find(session)
                else:
                    await self._rows.record(result.session, result.events, result.callbacks)
                    return result.session
            if session.underlying_status is SessionStatus.DRAFT or session.is_final:
                step = _next(session, command.decide(session))
                if step.session == session or await self._change(session, session, step):
                    return await self._started(step.session) if _is_due(session, step) else step.session
                session = await self._find(session)
            elif is_started:
                log.error("a session has no run; `undersign repair` starts it again", session_id=session.session_id)
                await self._rows.mark_stopped(session, datetime.now(UTC))
                raise Unavailable(STOPPED)
            else:
                await self._runs.start(session)
                is_started = True

    async def erase(self, session: Session, request: ActionRequest) -> Session:
        """Deletes the session permanently: it is no longer found, and a workflow erases its data."""
        erased = session.erase(request.audit).session
        at = erased.erased_at or erased.updated_at
        key = (session.organisation_id, session.session_id)
        await self._rows.erase(
            *key, at, lambda now: callback_of_deletion(now.erase(request.audit).session, now.status), erase_at=_later()
        )
        try:
            await self._runs.start_erasure(*key, at)
        except Unavailable:
            log.warning("a worker starts the erasure, since Temporal does not answer")
        return erased

    async def retries(self, session: Session) -> tuple[RetryStatus, ...]:
        """Returns the effects that are being retried; none if Temporal does not respond within 2 s."""
        return await self._runs.retries(session.session_id)

    async def check(self) -> None:
        """Raises `Unavailable` if Temporal does not respond."""
        await self._runs.check()

    async def _change(self, before: Session | None, last: Session, step: Transition) -> bool:
        """Writes a transition of a session without a run. Callbacks report the changes since `last`."""
        is_sent = last.status is SessionStatus.DRAFT and step.session.status is SessionStatus.PENDING
        callbacks = callbacks_of(last, step.session, step.events)
        start_at = _later() if is_sent or (before is not None and _is_due(before, step)) else None
        return await self._rows.change(before, step.session, step.events, callbacks, start_at=start_at)

    async def _started(self, session: Session) -> Session:
        try:
            await self._runs.start(session)
        except Unavailable:
            log.warning("a worker starts the session's run, since Temporal does not answer")
        return session

    async def _find(self, session: Session) -> Session:
        found = await self._rows.find(session.organisation_id, session.session_id)
        if found is None:
            raise SessionNotFound
        return found


def _next(before: Session, step: Transition) -> Transition:
    """Returns the transition, as the next revision if it changes the session."""
    return step if step.session == before else step._replace(session=step.session.with_next_revision())


def _is_due(before: Session, step: Transition) -> bool:
    """Returns whether a session that has ended needs a run again, because a mail is sent again."""
    return step.session.is_final and step.session.needs_run and not before.needs_run


def _later() -> datetime:
    return datetime.now(UTC) + LEFT_TO_WORKERS
