"""Starts the workflows of callbacks: deliveries, and the mails about paused receivers."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from temporalio.api.enums.v1 import PendingActivityState
from temporalio.client import Client, Interceptor, WorkflowExecutionStatus
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from activities.interface import CALLBACKS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.callbacks.delivery_schedule import Delivery, ReceiverPause
from domain.ports.callbacks import Deliveries
from domain.ports.temporal import NotRunning
from domain.shared.object_names import digest
from domain.workflow_ids import callback_id, pause_id
from workflows.callbacks import CallbackDeliveryWorkflow, PauseWarningWorkflow
from workflows.client.rpc_errors import map_errors
from workflows.client.runs import START_TIMEOUT, fairness_priority
from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig


class TemporalDeliveries:
    """Implements `Deliveries`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        # An earlier call started it, and its answer was lost: one delivery has one run.
        with suppress(WorkflowAlreadyStartedError):
            await self._start(delivery, (WorkflowIDReusePolicy.REJECT_DUPLICATE, WorkflowIDConflictPolicy.FAIL), wait)

    async def retry_now(self, delivery: Delivery) -> None:
        if await self._is_trying(delivery):
            return
        requested = delivery.model_copy(update={"was_asked_for": True})
        replacing = (WorkflowIDReusePolicy.ALLOW_DUPLICATE, WorkflowIDConflictPolicy.TERMINATE_EXISTING)
        await self._start(requested, replacing)

    async def _is_trying(self, delivery: Delivery) -> bool:
        """Returns whether its run is making an attempt: it has not ended, and waits neither to start nor to retry."""
        handle = self._client.get_workflow_handle(callback_id(delivery.event_id))
        try:
            run = await map_errors(handle.describe(rpc_timeout=START_TIMEOUT))
        except NotRunning:
            return False
        waits_to_start = run.history_length == 1
        waits_to_retry = any(
            each.state == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED and each.attempt > 1
            for each in run.raw_description.pending_activities
        )
        return run.status is WorkflowExecutionStatus.RUNNING and not waits_to_start and not waits_to_retry

    async def _start(
        self,
        delivery: Delivery,
        policies: tuple[WorkflowIDReusePolicy, WorkflowIDConflictPolicy],
        wait: timedelta = timedelta(),
    ) -> None:
        # Receivers take turns, so that an unavailable one delays its own callbacks first.
        fairness_key = digest(f"{delivery.organisation_id} {delivery.receiver}".encode())[:32]
        await map_errors(
            self._client.start_workflow(
                CallbackDeliveryWorkflow.run,
                delivery,
                id=callback_id(delivery.event_id),
                task_queue=FAILING_QUEUE if delivery.is_failing else CALLBACKS_QUEUE,
                id_reuse_policy=policies[0],
                id_conflict_policy=policies[1],
                start_delay=wait or None,
                static_summary=f"{delivery.type} to {delivery.receiver}",
                static_details=f"Session {delivery.session_id}",
                priority=Priority(fairness_key=fairness_key),
                rpc_timeout=START_TIMEOUT,
            ),
            is_start=True,
        )


async def connect_deliveries(choice: TemporalConfig, around: Sequence[Interceptor] = ()) -> Deliveries:
    """Returns the deliveries of a namespace. While Temporal does not respond, calls raise `Unavailable`."""
    return TemporalDeliveries(await connect(choice, lazy=True, interceptors=around))


async def start_pause_warning(client: Client, pause: ReceiverPause) -> None:
    """Starts the mails about a paused receiver. The start is durable when this returns; a second call has no effect."""
    # An earlier call started the mails of this pause.
    with suppress(WorkflowAlreadyStartedError):
        await map_errors(
            client.start_workflow(
                PauseWarningWorkflow.run,
                pause,
                id=pause_id(pause),
                task_queue=SESSIONS_QUEUE,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
                static_summary=f"Callbacks to {pause.receiver} are paused",
                priority=fairness_priority(pause.organisation_id),
                rpc_timeout=START_TIMEOUT,
            ),
            is_start=True,
        )
