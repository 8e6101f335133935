"""Mails an organisation's users that a receiver of callbacks is paused, once for each pause, `pause/<digest>`."""

import asyncio

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.interface import PauseMailRequest, list_users, send_pause_mail
    from domain.callbacks.retries_and_pauses import ReceiverPause
    from domain.shared.ids import UserId
    from workflows.session.activity_options import RECORD_RETRY, RECORD_TIMEOUT
    from workflows.session.cancellation import ignore_cancellation
    from workflows.session.emails import send_mail


@workflow.defn(name="PauseWarning")
class PauseWarningWorkflow:
    """Runs until every mail was sent or permanently rejected."""

    @workflow.init
    def __init__(self, pause: ReceiverPause) -> None:
        self._pause = pause

    @workflow.run
    async def run(self, pause: ReceiverPause) -> int:
        """Returns the number of mails sent."""
        return await ignore_cancellation(self._tell_all(pause))

    async def _tell_all(self, pause: ReceiverPause) -> int:
        found = await workflow.execute_activity(
            list_users,
            pause,
            start_to_close_timeout=RECORD_TIMEOUT,
            retry_policy=RECORD_RETRY,
            summary="Find whom to tell",
        )
        return sum(await asyncio.gather(*map(self._tell, found.user_ids)))

    async def _tell(self, user_id: UserId | None) -> bool:
        request = PauseMailRequest(pause=self._pause, user_id=user_id)
        refusal = await send_mail(send_pause_mail, request, f"Tell {user_id or 'the sender'}")
        if refusal is not None:
            workflow.logger.warning("a mail about a paused receiver was refused")
        return refusal is None
