"""Erases the data of a permanently deleted session, retrying until it succeeds.

The tombstone exists before this workflow starts. This history holds identifiers and times only: the data of the emails
to invited recipients is in the tombstone, and is removed when the receipt is stored.
"""

import contextlib

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.interface import (
        EraseRequest,
        ReceiptRequest,
        erase_histories,
        erase_objects,
        issue_receipt,
        send_deletion_mails,
    )
    from workflows.activity_options import (
        DELETION_MAILS_LIMIT,
        DELETION_MAILS_TIMEOUT,
        ERASE_RETRY,
        ERASE_TIMEOUT,
        HEARTBEAT,
        IN_FLIGHT_GRACE,
        MAIL_RETRY,
        RECEIPT_TIMEOUT,
    )
    from workflows.session.ignore_cancellation import ignore_cancellation


@workflow.defn(name="Erasure")
class ErasureWorkflow:
    """Erases the histories of the session's runs, which ends the runs, and its objects, then signs a receipt.

    Emails are sent at the same time, so that an outage of the mail server does not delay the erasure of documents.
    """

    @workflow.run
    async def run(self, request: EraseRequest) -> str:
        """Returns the receipt: a JWS with the numbers of erased objects and runs, and the times."""
        return await ignore_cancellation(self._erase(request))

    async def _erase(self, request: EraseRequest) -> str:
        mails = self._send_mails(request) if workflow.patched("send-deletion-mails") else None
        runs, objects = await self._erase_once(request)
        await workflow.sleep(IN_FLIGHT_GRACE, summary="Wait for requests that were under way to end")
        late_runs, late_objects = await self._erase_once(request)
        if mails is not None:
            with contextlib.suppress(ActivityError):  # the mail server was down for too long
                await mails
        return await workflow.execute_activity(
            issue_receipt,
            ReceiptRequest(
                erased=request, objects=objects + late_objects, runs=runs + late_runs, completed_at=workflow.now()
            ),
            start_to_close_timeout=RECEIPT_TIMEOUT,
            retry_policy=ERASE_RETRY,
            summary="Sign the receipt",
        )

    def _send_mails(self, request: EraseRequest) -> workflow.ActivityHandle[None]:
        return workflow.start_activity(
            send_deletion_mails,
            request,
            start_to_close_timeout=DELETION_MAILS_TIMEOUT,
            schedule_to_close_timeout=DELETION_MAILS_LIMIT,
            heartbeat_timeout=HEARTBEAT,
            retry_policy=MAIL_RETRY,
            summary="Email those who were invited",
        )

    async def _erase_once(self, request: EraseRequest) -> tuple[int, int]:
        """Returns the numbers of deleted runs and deleted objects."""
        runs = await workflow.execute_activity(
            erase_histories,
            request,
            start_to_close_timeout=ERASE_TIMEOUT,
            retry_policy=ERASE_RETRY,
            summary="Delete workflow histories",
        )
        objects = await workflow.execute_activity(
            erase_objects,
            request,
            start_to_close_timeout=ERASE_TIMEOUT,
            retry_policy=ERASE_RETRY,
            summary="Delete objects",
        )
        return runs, objects
