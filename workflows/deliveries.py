"""The one way to begin deliveries on Temporal."""

from collections.abc import Sequence
from typing import Protocol

from temporalio.client import Client, Interceptor
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from activities.interface import CALLBACKS_QUEUE, FAILING_QUEUE
from domain.deliveries import Delivery
from domain.objects import digest
from domain.workflow_ids import callback_id
from workflows.answers import unavailable
from workflows.callback_delivery import CallbackDeliveryWorkflow
from workflows.choice import TemporalChoice
from workflows.client import START_TIMEOUT
from workflows.connection import connect


class Deliveries(Protocol):
    """Deliveries of callbacks. Each method raises `Unavailable` when Temporal does not answer."""

    async def begin(self, delivery: Delivery) -> None:
        """Has the callback delivered. Durable when this returns; a second time has no effect."""
        ...

    async def again(self, delivery: Delivery) -> None:
        """Has the callback tried now: by the delivery that waits for its next try, or by a new one."""
        ...


class TemporalDeliveries:
    """Keeps `Deliveries`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def begin(self, delivery: Delivery) -> None:
        try:
            await self._start(delivery, WorkflowIDReusePolicy.REJECT_DUPLICATE, WorkflowIDConflictPolicy.FAIL)
        except WorkflowAlreadyStartedError:
            return

    async def again(self, delivery: Delivery) -> None:
        asked = delivery.model_copy(update={"was_asked_for": True})
        await self._start(
            asked, WorkflowIDReusePolicy.ALLOW_DUPLICATE, WorkflowIDConflictPolicy.USE_EXISTING, signal="try_now"
        )

    async def _start(
        self,
        delivery: Delivery,
        reuse: WorkflowIDReusePolicy,
        conflict: WorkflowIDConflictPolicy,
        signal: str | None = None,
    ) -> None:
        try:
            await self._client.start_workflow(
                CallbackDeliveryWorkflow.run,
                delivery,
                id=callback_id(delivery.event_id),
                task_queue=FAILING_QUEUE if delivery.is_failing else CALLBACKS_QUEUE,
                id_reuse_policy=reuse,
                id_conflict_policy=conflict,
                start_signal=signal,
                static_summary=f"A callback of session {delivery.session_id}",
                priority=_fair(delivery),
                rpc_timeout=START_TIMEOUT,
            )
        except (RPCError, RuntimeError) as error:  # RuntimeError: of a lazy client, when nothing listens
            raise unavailable(error) from error


async def connect_deliveries(choice: TemporalChoice, around: Sequence[Interceptor] = ()) -> Deliveries:
    """The deliveries of a namespace, with interceptors `around` each call.

    Temporal need not be up yet: until it is, calls raise `Unavailable`.
    """
    return TemporalDeliveries(await connect(choice, lazy=True, interceptors=around))


def _fair(delivery: Delivery) -> Priority:
    """Receivers take turns, so that a dead one delays its own callbacks first."""
    return Priority(fairness_key=digest(f"{delivery.organisation_id} {delivery.receiver}".encode())[:32])
