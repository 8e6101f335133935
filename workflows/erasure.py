"""Erases all that is left of a session that was deleted for ever, however long it takes.

Whoever starts this has put the tombstone in place before, so that no crash brings the session back to sight. This
history holds identifiers and times only.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import interface
    from workflows import policies
    from workflows.burial import ERASURE


@workflow.defn(name=ERASURE)
class ErasureWorkflow:
    """Objects, then the histories of the session's runs, then a signed receipt for the tombstone."""

    @workflow.run
    async def run(self, request: interface.EraseRequest) -> str:
        """The receipt: a JWS of what was erased and when."""
        objects = await _erase_objects(request)
        runs = await workflow.execute_activity(
            interface.erase_histories,
            request,
            start_to_close_timeout=policies.ERASE_TIMEOUT,
            retry_policy=policies.ERASE_RETRY,
            summary="Delete workflow histories",
        )
        await workflow.sleep(policies.LATECOMERS, summary="Requests that were under way come to their end")
        objects += await _erase_objects(request)
        return await workflow.execute_activity(
            interface.issue_receipt,
            interface.ReceiptRequest(erased=request, objects=objects, runs=runs, completed_at=workflow.now()),
            start_to_close_timeout=policies.BURY_TIMEOUT,
            retry_policy=policies.BURY_RETRY,
            summary="Sign the receipt",
        )


async def _erase_objects(request: interface.EraseRequest) -> int:
    return await workflow.execute_activity(
        interface.erase_objects,
        request,
        start_to_close_timeout=policies.ERASE_TIMEOUT,
        retry_policy=policies.ERASE_RETRY,
        summary="Delete objects",
    )
