"""The delivery of one callback after a try that failed (Specification 6.3), `callback/<eventId>`.

It holds identifiers only. What is sent, where to and what came of it is in the database.
"""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.interface import deliver_callback, stop_callback
    from domain.callbacks.delivery import Delivery
    from workflows.session.activity_options import (
        DELIVER_RETRY,
        DELIVER_TIMEOUT,
        FINISH_BEFORE_CANCEL,
        RECORD_RETRY,
        RECORD_TIMEOUT,
    )


@workflow.defn(name="CallbackDelivery")
class CallbackDeliveryWorkflow:
    """Lives until the callback is delivered, or will not be tried again. The tries are those of its one activity."""

    @workflow.run
    async def run(self, delivery: Delivery) -> str:
        """Ends with what became of the callback. Who cancels the run stops the callback, and the log says so."""
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
