"""Erases all that is left of a session that was deleted for ever, however long it takes.

Whoever starts this has put the tombstone in place before, so that no crash brings the session back to sight. This
history holds identifiers and times only.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import interface
    from workflows.burial import ERASURE, erase_everything
    from workflows.enduring import enduring


@workflow.defn(name=ERASURE)
class ErasureWorkflow:
    """Objects, then the histories of the session's runs, then a signed receipt for the tombstone."""

    @workflow.run
    async def run(self, request: interface.EraseRequest) -> str:
        """The receipt: a JWS of what was erased and when."""
        return await enduring(erase_everything(request))
