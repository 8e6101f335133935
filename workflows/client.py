"""The one way in to running sessions: `Sessions` on Temporal. Failures of Temporal become errors of the domain.

Every call has a deadline: without one, a query or an update waits for ever when no worker runs.
"""

from collections.abc import AsyncIterator, Awaitable, Sequence
from datetime import timedelta
from typing import TypeVar

import structlog
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import (
    Client,
    Interceptor,
    WithStartWorkflowOperation,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from activities.interface import SESSIONS_QUEUE
from domain.errors import SessionNotFound, SigningError, Unavailable, by_name
from domain.ids import OrganisationId, SessionId
from domain.models import Value
from domain.session import Session
from domain.waiting import Retry
from domain.workflow_ids import closed_workflow_id, session_workflow_id
from workflows import search_attributes
from workflows.answers import unavailable
from workflows.choice import TemporalChoice
from workflows.closed_session import ClosedSessionWorkflow
from workflows.connection import connect, is_encrypted
from workflows.details import static_details
from workflows.encryption import PayloadUnreadable
from workflows.messages import (
    ActRequest,
    ClosedStart,
    DeclineRequest,
    HandOutRequest,
    InviteRequest,
    RecipientActRequest,
    SessionStart,
    SignRequest,
)
from workflows.newest import newest_events, newest_session
from workflows.port import Sessions
from workflows.retries import retries_among
from workflows.signing_session import SigningSessionWorkflow

START_TIMEOUT = timedelta(seconds=10)
READY_TIMEOUT = timedelta(seconds=3)
DESCRIBE_TIMEOUT = timedelta(seconds=2)
WRITE_TIMEOUT = timedelta(seconds=10)

T = TypeVar("T")

log = structlog.get_logger(__name__)

_CLOSED_UNDER_UPDATE = "AcceptedUpdateCompletedWorkflow"
"""Temporal's name for an update whose workflow ended before it was done."""


class _NotRunning(SessionNotFound):
    """The session's own run has ended, or never was."""


async def connect_sessions(choice: TemporalChoice, around: Sequence[Interceptor] = ()) -> Sessions:
    """The sessions of a namespace, with interceptors `around` each call.

    Temporal need not be up yet: until it is, calls raise `Unavailable`.
    """
    return TemporalSessions(await connect(choice, lazy=True, interceptors=around))


class TemporalSessions:
    """Keeps `workflows.port.Sessions`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, start: SessionStart) -> Session:
        try:
            handle = await self._start(start)
        except WorkflowAlreadyStartedError:
            return await _answer(
                self._handle(start.session.session_id).execute_update(
                    "ready", result_type=Session, rpc_timeout=READY_TIMEOUT
                )
            )
        try:
            return await _answer(handle.execute_update("ready", result_type=Session, rpc_timeout=READY_TIMEOUT))
        except (Unavailable, _NotRunning):
            return start.session  # it is durable; who waits for the projection may have been forgotten by a server

    async def _start(self, start: SessionStart) -> WorkflowHandle[SigningSessionWorkflow, Session | None]:
        return await _answer(
            self._client.start_workflow(
                SigningSessionWorkflow.run,
                start,
                id=session_workflow_id(start.session.session_id),
                task_queue=SESSIONS_QUEUE,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=start.session.name,
                static_details=static_details(start.session),
                priority=fair(start.session.organisation_id),
                search_attributes=search_attributes.of(start.session, named=not is_encrypted(self._client)),
                rpc_timeout=START_TIMEOUT,
            )
        )

    async def snapshot(self, session_id: SessionId) -> Session:
        events = self.newest_events(session_id)
        return await _answer(newest_session(events, self._client.data_converter))

    def newest_events(self, session_id: SessionId) -> AsyncIterator[HistoryEvent]:
        """What happened to the session's run, the latest first."""
        return newest_events(self._client, session_workflow_id(session_id))

    async def retries(self, session_id: SessionId) -> tuple[Retry, ...]:
        try:
            described = await self._handle(session_id).describe(rpc_timeout=DESCRIBE_TIMEOUT)
        except (RPCError, RuntimeError):
            return ()
        try:
            return await retries_among(described.raw_description.pending_activities, self._client.data_converter)
        except PayloadUnreadable:
            return ()

    async def send(self, session_id: SessionId, request: ActRequest, update_id: str | None = None) -> Session:
        return await self._update(session_id, "send", request, update_id)

    async def invite(self, session_id: SessionId, request: InviteRequest, update_id: str | None = None) -> Session:
        return await self._update(session_id, "invite", request, update_id)

    async def archive(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update_running_or_closed(organisation_id, session_id, "archive", request)

    async def restore(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update_running_or_closed(organisation_id, session_id, "restore", request)

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update_running_or_closed(organisation_id, session_id, "erase", request)

    async def hand_out(
        self, organisation_id: OrganisationId, session_id: SessionId, request: HandOutRequest
    ) -> Session:
        return await self._update_running_or_closed(organisation_id, session_id, "hand_out", request)

    async def view(self, session_id: SessionId, request: RecipientActRequest) -> Session:
        return await self._update(session_id, "view", request)

    async def sign(self, session_id: SessionId, request: SignRequest) -> Session:
        return await self._update(session_id, "sign", request)

    async def decline(self, session_id: SessionId, request: DeclineRequest) -> Session:
        return await self._update(session_id, "decline", request)

    def _handle(self, session_id: SessionId) -> WorkflowHandle[SigningSessionWorkflow, Session | None]:
        return self._client.get_workflow_handle_for(SigningSessionWorkflow.run, session_workflow_id(session_id))

    async def _update(
        self, session_id: SessionId, update: str, request: Value, update_id: str | None = None
    ) -> Session:
        handle = self._handle(session_id)
        try:
            return await _answer(
                handle.execute_update(update, request, id=update_id, result_type=Session, rpc_timeout=WRITE_TIMEOUT)
            )
        except _NotRunning as error:
            if await _answer(_is_running(handle)):
                raise Unavailable from error  # it is the update that is not found: a server that ended forgot it
            raise

    async def _update_running_or_closed(
        self, organisation_id: OrganisationId, session_id: SessionId, update: str, request: Value
    ) -> Session:
        try:
            return await self._update(session_id, update, request)
        except _NotRunning:
            with_start = WithStartWorkflowOperation(
                ClosedSessionWorkflow.run,
                ClosedStart(organisation_id=organisation_id, session_id=session_id),
                id=closed_workflow_id(session_id),
                task_queue=SESSIONS_QUEUE,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="An act on a session whose run has ended",
                priority=fair(organisation_id),
            )
            return await _answer(
                self._client.execute_update_with_start_workflow(
                    update,
                    request,
                    start_workflow_operation=with_start,
                    result_type=Session,
                    rpc_timeout=WRITE_TIMEOUT,
                )
            )


def fair(organisation_id: OrganisationId) -> Priority:
    """The share of the task queues: organisations take turns, so that a burst of one delays its own work first."""
    return Priority(fairness_key=organisation_id)


async def _is_running(handle: WorkflowHandle[SigningSessionWorkflow, Session | None]) -> bool:
    described = await handle.describe(rpc_timeout=DESCRIBE_TIMEOUT)
    return described.status is WorkflowExecutionStatus.RUNNING


async def _answer(call: Awaitable[T]) -> T:
    """The result of a call to Temporal, its failures as errors of the domain."""
    try:
        return await call
    except WorkflowUpdateRPCTimeoutOrCancelledError as error:
        raise Unavailable from error
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from error
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise _NotRunning from error
        raise unavailable(error) from error
    except PayloadUnreadable as error:
        log.error(str(error))  # noqa: TRY400  # the message says what to do
        raise Unavailable from error
    except RuntimeError as error:
        # What a lazy client raises when nothing listens at the address, or nobody lets it in.
        raise unavailable(error) from error


def _refusal(error: WorkflowUpdateFailedError) -> Exception:
    cause = error.cause
    if not isinstance(cause, ApplicationError):
        return error
    if cause.type == _CLOSED_UNDER_UPDATE:
        return _NotRunning()
    kind: type[SigningError] | None = by_name().get(cause.type or "")
    return kind(cause.message) if kind else error
