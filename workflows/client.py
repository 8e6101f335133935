"""The one way in to running sessions: `Sessions` on Temporal. Failures of Temporal become errors of the domain.

Every call has a deadline: without one, a query or an update waits for ever when no worker runs.
"""

from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

from temporalio.client import (
    Client,
    WorkflowHandle,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from activities.interface import SESSIONS_QUEUE
from domain.errors import SessionNotFound, SigningError, Unavailable, by_name
from domain.ids import SessionId
from domain.models import Value
from domain.session import Session
from workflows import search_attributes
from workflows.connection import connect
from workflows.messages import ActRequest, DeclineRequest, InviteRequest, RecipientActRequest, SessionStart, SignRequest
from workflows.port import Sessions
from workflows.signing_session import SigningSessionWorkflow

START_TIMEOUT = timedelta(seconds=10)
READY_TIMEOUT = timedelta(seconds=3)
READ_TIMEOUT = timedelta(seconds=2)
WRITE_TIMEOUT = timedelta(seconds=10)

T = TypeVar("T")

_CLOSED_UNDER_UPDATE = "AcceptedUpdateCompletedWorkflow"
"""Temporal's name for an update whose workflow ended: only an erased session ends."""


def workflow_id(session_id: SessionId) -> str:
    """The id of the run of a session, as operators see it."""
    return f"session/{session_id}"


async def connect_sessions(address: str, namespace: str) -> Sessions:
    """The sessions of a namespace. Temporal need not be up yet: until it is, calls raise `Unavailable`."""
    return TemporalSessions(await connect(address, namespace, lazy=True))


class TemporalSessions:
    """Keeps `workflows.port.Sessions`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, start: SessionStart) -> Session:
        handle = await _answer(
            self._client.start_workflow(
                SigningSessionWorkflow.run,
                start,
                id=workflow_id(start.session.session_id),
                task_queue=SESSIONS_QUEUE,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=start.session.name,
                search_attributes=search_attributes.of(start.session),
                rpc_timeout=START_TIMEOUT,
            )
        )
        try:
            return await _answer(handle.execute_update("ready", result_type=Session, rpc_timeout=READY_TIMEOUT))
        except Unavailable:
            return start.session

    async def snapshot(self, session_id: SessionId) -> Session:
        return await _answer(self._handle(session_id).query(SigningSessionWorkflow.snapshot, rpc_timeout=READ_TIMEOUT))

    async def send(self, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update(session_id, "send", request)

    async def invite(self, session_id: SessionId, request: InviteRequest) -> Session:
        return await self._update(session_id, "invite", request)

    async def archive(self, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update(session_id, "archive", request)

    async def restore(self, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update(session_id, "restore", request)

    async def erase(self, session_id: SessionId, request: ActRequest) -> Session:
        return await self._update(session_id, "erase", request)

    async def view(self, session_id: SessionId, request: RecipientActRequest) -> Session:
        return await self._update(session_id, "view", request)

    async def sign(self, session_id: SessionId, request: SignRequest) -> Session:
        return await self._update(session_id, "sign", request)

    async def decline(self, session_id: SessionId, request: DeclineRequest) -> Session:
        return await self._update(session_id, "decline", request)

    def _handle(self, session_id: SessionId) -> WorkflowHandle[SigningSessionWorkflow, None]:
        return self._client.get_workflow_handle_for(SigningSessionWorkflow.run, workflow_id(session_id))

    async def _update(self, session_id: SessionId, update: str, request: Value) -> Session:
        return await _answer(
            self._handle(session_id).execute_update(update, request, result_type=Session, rpc_timeout=WRITE_TIMEOUT)
        )


async def _answer(call: Awaitable[T]) -> T:
    """The result of a call to Temporal, its failures as errors of the domain."""
    try:
        return await call
    except WorkflowUpdateRPCTimeoutOrCancelledError as error:
        raise Unavailable from error
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from error
    except WorkflowQueryFailedError as error:
        raise Unavailable from error
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise SessionNotFound from error
        raise Unavailable from error
    except RuntimeError as error:
        # What a lazy client raises when nothing listens at the address.
        raise Unavailable from error


def _refusal(error: WorkflowUpdateFailedError) -> Exception:
    cause = error.cause
    if not isinstance(cause, ApplicationError):
        return error
    if cause.type == _CLOSED_UNDER_UPDATE:
        return SessionNotFound()
    kind: type[SigningError] | None = by_name().get(cause.type or "")
    return kind(cause.message) if kind else error
