"""The runs of sessions and batches in Temporal.

Every call has a timeout: without one, an update waits until a worker runs.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client, Interceptor, WorkflowExecutionStatus, WorkflowHandle
from temporalio.common import Priority, SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from activities.interface import SESSIONS_QUEUE, EraseRequest
from domain.batches.batch import Batch, BatchProgress
from domain.ports.batches import BatchAction, BatchRuns
from domain.ports.session_requests import ActionResult, SessionCommand, SessionStart
from domain.ports.temporal import NotRunning, RunState
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import BatchId, OrganisationId, SessionId
from domain.workflow_ids import batch_workflow_id, erasure_id, session_workflow_id
from workflows.batch import BatchWorkflow
from workflows.client.histories import latest_session, latest_whole_session, read_history_backwards
from workflows.client.pending_retries import retries_among
from workflows.client.rpc_errors import map_errors
from workflows.sdk.connection import connect, is_encrypted
from workflows.sdk.payload_codec import PayloadUnreadable
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.session.erasure import ErasureWorkflow
from workflows.session.signing_session import SigningSessionWorkflow
from workflows.session.ui_details import ORGANISATION_ID, search_attributes_of, static_details

START_TIMEOUT = timedelta(seconds=10)
DESCRIBE_TIMEOUT = timedelta(seconds=2)
WRITE_TIMEOUT = timedelta(seconds=10)


async def connect_runs(choice: TemporalConfig, around: Sequence[Interceptor] = ()) -> "TemporalRuns":
    """Returns the runs of a namespace. While Temporal does not respond, calls raise `Unavailable`."""
    return TemporalRuns(await connect(choice, lazy=True, interceptors=around))


class TemporalRuns:
    """Implements `domain.ports.temporal.Runs`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, session: Session) -> bool:
        # A session that has ended gets another run if a mail about the end is sent again.
        once, again = WorkflowIDReusePolicy.REJECT_DUPLICATE, WorkflowIDReusePolicy.ALLOW_DUPLICATE
        return await self._start(session, again if session.is_final else once)

    async def start_again(self, session: Session) -> bool:
        """Starts a run for a session whose run is missing or stopped. Returns false if one is running or completed."""
        return await self._start(session, WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY)

    async def stop(self, session_id: SessionId, reason: str) -> None:
        """Terminates the run of the session; one that is not running is left as it is. Raises `Unavailable`."""
        # A run that has ended needs no termination.
        with suppress(NotRunning):
            await map_errors(self._handle(session_id).terminate(reason=reason, rpc_timeout=WRITE_TIMEOUT))

    async def _start(self, session: Session, reuse: WorkflowIDReusePolicy) -> bool:
        try:
            await map_errors(
                self._client.start_workflow(
                    SigningSessionWorkflow.run,
                    SessionStart(session=session.model_copy(update={"stopped_at": None})),
                    id=session_workflow_id(session.session_id),
                    task_queue=SESSIONS_QUEUE,
                    id_reuse_policy=reuse,
                    static_summary=session.name,
                    static_details=static_details(session),
                    priority=fairness_priority(session.organisation_id),
                    search_attributes=search_attributes_of(session, named=not is_encrypted(self._client)),
                    rpc_timeout=START_TIMEOUT,
                ),
                is_start=True,
            )
        except WorkflowAlreadyStartedError:
            return False
        return True

    async def act(self, session_id: SessionId, command: SessionCommand, update_id: str | None = None) -> ActionResult:
        handle = self._handle(session_id)
        try:
            return await map_errors(
                handle.execute_update(
                    command.update, command, id=update_id, result_type=ActionResult, rpc_timeout=WRITE_TIMEOUT
                )
            )
        except NotRunning as error:
            if await map_errors(_is_running(handle)):
                raise Unavailable from error  # the update is not found, because a server that stopped has lost it
            raise

    async def retries(self, session_id: SessionId) -> tuple[RetryStatus, ...]:
        try:
            described = await self._handle(session_id).describe(rpc_timeout=DESCRIBE_TIMEOUT)
        except (RPCError, RuntimeError):
            return ()
        try:
            return await retries_among(described.raw_description.pending_activities, self._client.data_converter)
        except PayloadUnreadable:
            return ()

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        request = EraseRequest(organisation_id=organisation_id, session_id=session_id, erased_at=erased_at)
        # An earlier request started the erasure; a session is erased by one run.
        with suppress(WorkflowAlreadyStartedError):
            await map_errors(
                self._client.start_workflow(
                    ErasureWorkflow.run,
                    request,
                    id=erasure_id(session_id),
                    task_queue=SESSIONS_QUEUE,
                    id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
                    static_summary="Erase histories and objects of a deleted session",
                    priority=fairness_priority(organisation_id),
                    rpc_timeout=START_TIMEOUT,
                ),
                is_start=True,
            )

    async def check(self) -> None:
        request = DescribeNamespaceRequest(namespace=self._client.namespace)
        await map_errors(self._client.workflow_service.describe_namespace(request, timeout=DESCRIBE_TIMEOUT))

    async def read_session(self, session_id: SessionId) -> Session:
        """Returns the session from the history of its run. Raises `NotRunning` without a history, or `Unavailable`."""
        events = read_history_backwards(self._client, session_workflow_id(session_id))
        return await map_errors(latest_session(events, self._client.data_converter))

    async def read_whole_session(self, session_id: SessionId) -> ActionResult:
        """Returns the session as `read_session` does, with all events and callbacks in the history."""
        events = read_history_backwards(self._client, session_workflow_id(session_id))
        return await map_errors(latest_whole_session(events, self._client.data_converter))

    async def state(self, session_id: SessionId) -> RunState:
        """Returns whether the session has a run, and how it ended. Raises `Unavailable`."""
        try:
            described = await map_errors(self._handle(session_id).describe(rpc_timeout=DESCRIBE_TIMEOUT))
        except NotRunning:
            return RunState.MISSING
        match described.status:
            case WorkflowExecutionStatus.RUNNING:
                return RunState.RUNNING
            case WorkflowExecutionStatus.COMPLETED:
                return RunState.ENDED
        return RunState.STOPPED

    async def find_without_run(self, sessions: Sequence[SessionId]) -> set[SessionId]:
        """Returns those of `sessions` that have no running run.

        The list of workflows may be out of date, so each session that it lacks is checked again.
        """
        if not sessions:
            return set()
        ids = ", ".join(f"'{session_workflow_id(session_id)}'" for session_id in sessions)
        found = self._client.list_workflows(f"ExecutionStatus = 'Running' AND WorkflowId IN ({ids})")
        running = set()
        while (run := await map_errors(anext(found, None))) is not None:
            running.add(run.id)
        left = [session_id for session_id in sessions if session_workflow_id(session_id) not in running]
        return {session_id for session_id in left if await self.state(session_id) is not RunState.RUNNING}

    async def list_sessions(self) -> AsyncIterator[SessionId]:
        """Yields every session with a history in Temporal, each once. Raises `Unavailable`."""
        known: set[str] = set()
        found = self._client.list_workflows('WorkflowType = "SigningSession"')
        while (run := await map_errors(anext(found, None))) is not None:
            if run.id not in known:
                known.add(run.id)
                yield SessionId(run.id.removeprefix(session_workflow_id(SessionId(""))))

    def _handle(self, session_id: SessionId) -> WorkflowHandle[SigningSessionWorkflow, Session]:
        return self._client.get_workflow_handle_for(SigningSessionWorkflow.run, session_workflow_id(session_id))


def fairness_priority(organisation_id: OrganisationId) -> Priority:
    """Returns a priority with the organisation as fairness key, so that a burst of one delays its own work first."""
    return Priority(fairness_key=organisation_id)


async def _is_running(handle: WorkflowHandle[SigningSessionWorkflow, Session]) -> bool:
    described = await handle.describe(rpc_timeout=DESCRIBE_TIMEOUT)
    return described.status is WorkflowExecutionStatus.RUNNING


_LAST = 5
"""Temporal's lowest priority. The default is 3: sessions that people wait for go first."""


async def connect_batch_runs(choice: TemporalConfig, around: Sequence[Interceptor] = ()) -> BatchRuns:
    """Returns the runs of a namespace. While Temporal does not respond, calls raise `Unavailable`."""
    return TemporalBatchRuns(await connect(choice, lazy=True, interceptors=around))


class TemporalBatchRuns:
    """Implements `BatchRuns`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, batch: Batch) -> None:
        # An earlier attempt started it; a second run would create the sessions twice.
        with suppress(WorkflowAlreadyStartedError):
            await map_errors(
                self._client.start_workflow(
                    BatchWorkflow.run,
                    batch.progress(),
                    id=batch_workflow_id(batch.batch_id),
                    task_queue=SESSIONS_QUEUE,
                    id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
                    static_summary=batch.name,
                    static_details=f"A batch of {batch.total} sessions from the template `{batch.template_id}`.",
                    priority=Priority(priority_key=_LAST, fairness_key=batch.organisation_id),
                    search_attributes=TypedSearchAttributes(
                        [SearchAttributePair(ORGANISATION_ID, batch.organisation_id)]
                    ),
                    rpc_timeout=START_TIMEOUT,
                ),
                is_start=True,
            )

    async def act(self, batch_id: BatchId, act: BatchAction) -> BatchProgress:
        handle = self._client.get_workflow_handle(batch_workflow_id(batch_id))
        return await map_errors(handle.execute_update(act, result_type=BatchProgress, rpc_timeout=WRITE_TIMEOUT))
