"""The workflows of callbacks: retries of a delivery, and mails about a paused receiver. Temporal replays this code."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.interface import PauseMailRequest, deliver_callback, list_users, send_pause_mail, stop_callback
    from domain.callbacks.delivery_schedule import Delivery, ReceiverPause
    from domain.shared.ids import UserId
    from workflows.activity_options import (
        DELIVER_RETRY,
        DELIVER_TIMEOUT,
        FINISH_BEFORE_CANCEL,
        RECORD_RETRY,
        RECORD_TIMEOUT,
        send_mail,
    )
    from workflows.session.ignore_cancellation import ignore_cancellation


@workflow.defn(name="CallbackDelivery")
class CallbackDeliveryWorkflow:
    """The delivery of one callback after a failed first attempt (Specification 6.3), `callback/<eventId>`.

    Temporal retries its one activity. The history holds identifiers only; body, URL and attempts are in the database.
    """

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
                summary="Deliver until the receiver accepts",
            )
        except (ActivityError, asyncio.CancelledError):
            if workflow.cancellation_reason() is not None:  # otherwise the SDK evicts the run from its cache
                await workflow.execute_activity(
                    stop_callback,
                    delivery,
                    start_to_close_timeout=RECORD_TIMEOUT,
                    retry_policy=RECORD_RETRY,
                    summary="Store that it is not tried any more",
                )
            raise
        return state.value


@workflow.defn(name="PauseWarning")
class PauseWarningWorkflow:
    """Notifies the administrators of an organisation of a paused receiver, once for each pause, `pause/<digest>`."""

    @workflow.init
    def __init__(self, pause: ReceiverPause) -> None:
        self._pause = pause

    @workflow.run
    async def run(self, pause: ReceiverPause) -> int:
        """Returns the number of sent mails, once every mail was sent or permanently rejected."""
        return await ignore_cancellation(self._mail_all(pause))

    async def _mail_all(self, pause: ReceiverPause) -> int:
        users = await workflow.execute_activity(
            list_users,
            pause,
            start_to_close_timeout=RECORD_TIMEOUT,
            retry_policy=RECORD_RETRY,
            summary="List the administrators",
        )
        return sum(await asyncio.gather(*map(self._mail, users.user_ids)))

    async def _mail(self, user_id: UserId | None) -> bool:
        request = PauseMailRequest(pause=self._pause, user_id=user_id)
        refusal = await send_mail(send_pause_mail, request, f"Email {user_id or 'the sender'}")
        if refusal is not None:
            workflow.logger.warning("a mail about a paused receiver was refused")
        return refusal is None
