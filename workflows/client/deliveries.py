"""Starts the workflows of callbacks: deliveries, and the mails about paused receivers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta

from temporalio.api.enums.v1 import PendingActivityState
from temporalio.client import Client, Interceptor, WorkflowExecutionStatus
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from activities.interface import CALLBACKS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.callbacks.retries_and_pauses import Delivery, ReceiverPause
from domain.shared.object_names import digest
from domain.shared.workflow_ids import callback_id, pause_id
from ports.callbacks import Deliveries
from workflows.callbacks.callback_delivery import CallbackDeliveryWorkflow
from workflows.callbacks.pause_warning import PauseWarningWorkflow
from workflows.client.rpc_errors import to_unavailable
from workflows.client.session_runs import START_TIMEOUT, fairness_priority
from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect


class TemporalDeliveries:
    """Implements `Deliveries`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        with suppress(WorkflowAlreadyStartedError):
            await self._start(delivery, (WorkflowIDReusePolicy.REJECT_DUPLICATE, WorkflowIDConflictPolicy.FAIL), wait)

    async def retry_now(self, delivery: Delivery) -> None:
        if await self._is_trying(delivery):
            return
        asked = delivery.model_copy(update={"was_asked_for": True})
        replacing = (WorkflowIDReusePolicy.ALLOW_DUPLICATE, WorkflowIDConflictPolicy.TERMINATE_EXISTING)
        await self._start(asked, replacing)

    async def _is_trying(self, delivery: Delivery) -> bool:
        """Whether its run neither waits for a time nor has ended."""
        with _mapped_errors():
            try:
                run = await self._client.get_workflow_handle(callback_id(delivery.event_id)).describe(
                    rpc_timeout=START_TIMEOUT
                )
            except RPCError as error:
                if error.status is RPCStatusCode.NOT_FOUND:
                    return False
                raise
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
        with _mapped_errors():
            await self._client.start_workflow(
                CallbackDeliveryWorkflow.run,
                delivery,
                id=callback_id(delivery.event_id),
                task_queue=FAILING_QUEUE if delivery.is_failing else CALLBACKS_QUEUE,
                id_reuse_policy=policies[0],
                id_conflict_policy=policies[1],
                start_delay=wait or None,
                static_summary=f"{delivery.type} to {delivery.receiver}",
                static_details=f"Session {delivery.session_id}",
                priority=_fairness_priority(delivery),
                rpc_timeout=START_TIMEOUT,
            )


async def connect_deliveries(choice: TemporalConfig, around: Sequence[Interceptor] = ()) -> Deliveries:
    """The deliveries of a namespace, with interceptors `around` each call.

    Temporal need not be up yet: until it is, calls raise `Unavailable`.
    """
    return TemporalDeliveries(await connect(choice, lazy=True, interceptors=around))


@contextmanager
def _mapped_errors() -> Iterator[None]:
    try:
        yield
    except (RPCError, RuntimeError) as error:  # RuntimeError: of a lazy client, when nothing listens
        raise to_unavailable(error) from error


def _fairness_priority(delivery: Delivery) -> Priority:
    """Receivers take turns, so that a dead one delays its own callbacks first."""
    return Priority(fairness_key=digest(f"{delivery.organisation_id} {delivery.receiver}".encode())[:32])


class TemporalPauseNotifier:
    """Implements `activities.callbacks.PauseNotifier`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, pause: ReceiverPause) -> None:
        try:
            await self._client.start_workflow(
                PauseWarningWorkflow.run,
                pause,
                id=pause_id(pause),
                task_queue=SESSIONS_QUEUE,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
                static_summary=f"Callbacks to {pause.receiver} are paused",
                priority=fairness_priority(pause.organisation_id),
                rpc_timeout=START_TIMEOUT,
            )
        except WorkflowAlreadyStartedError:
            return
        except RPCError as error:
            raise to_unavailable(error) from error
