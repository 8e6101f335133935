"""The delivery of one callback after a failed first attempt (Specification 6.3), `callback/<eventId>`.

The history holds identifiers only. Body, URL and results of attempts are in the database.
"""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.interface import deliver_callback, stop_callback
    from domain.callbacks.retries_and_pauses import Delivery
    from workflows.session.activity_options import (
        DELIVER_RETRY,
        DELIVER_TIMEOUT,
        FINISH_BEFORE_CANCEL,
        RECORD_RETRY,
        RECORD_TIMEOUT,
    )


@workflow.defn(name="CallbackDelivery")
class CallbackDeliveryWorkflow:
    """Runs until the callback is delivered or will not be retried. Temporal retries its one activity."""

    @workflow.run
    async def run(self, delivery: Delivery) -> str:
        """Returns the final state of the callback. Cancelling the run stops the callback, which its log shows."""
        try:
            state = await workflow.execute_activity(
                deliver_callback,
                delivery,
                start_to_close_timeout=DELIVER_TIMEOUT,
                retry_policy=DELIVER_RETRY,
                cancellation_type=FINISH_BEFORE_CANCEL,
                summary="Try until the receiver takes it",
            )
        except (ActivityError, asyncio.CancelledError):
            if workflow.cancellation_reason() is not None:  # else the SDK forgets the run for a while
                await workflow.execute_activity(
                    stop_callback,
                    delivery,
                    start_to_close_timeout=RECORD_TIMEOUT,
                    retry_policy=RECORD_RETRY,
                    summary="Store that it is not tried any more",
                )
            raise
        return state.value
