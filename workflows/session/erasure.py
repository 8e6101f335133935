"""Erases what is left of a permanently deleted session, retrying until it succeeds.

The tombstone exists before this workflow starts. This history holds identifiers and times only.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.interface import EraseRequest, ReceiptRequest, erase_histories, erase_objects, issue_receipt
    from workflows.session.activity_calls import ERASE_RETRY, ERASE_TIMEOUT, IN_FLIGHT_GRACE, RECEIPT_TIMEOUT
    from workflows.session.ignore_cancellation import ignore_cancellation


@workflow.defn(name="Erasure")
class ErasureWorkflow:
    """The histories of the session's runs, which end with them, then objects, then a signed receipt."""

    @workflow.run
    async def run(self, request: EraseRequest) -> str:
        """Returns the receipt: a JWS of the erased objects and times."""
        return await ignore_cancellation(self._erase(request))

    async def _erase(self, request: EraseRequest) -> str:
        runs, objects = await self._erase_once(request)
        await workflow.sleep(IN_FLIGHT_GRACE, summary="Wait for requests that were under way to end")
        late_runs, late_objects = await self._erase_once(request)
        return await workflow.execute_activity(
            issue_receipt,
            ReceiptRequest(
                erased=request, objects=objects + late_objects, runs=runs + late_runs, completed_at=workflow.now()
            ),
            start_to_close_timeout=RECEIPT_TIMEOUT,
            retry_policy=ERASE_RETRY,
            summary="Sign the receipt",
        )

    async def _erase_once(self, request: EraseRequest) -> tuple[int, int]:
        """Returns how many runs and how many objects were deleted."""
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
