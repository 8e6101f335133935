"""The end of a session that is deleted for ever: out of sight first, then a workflow of its own erases the rest."""

import contextlib

from temporalio import workflow
from temporalio.exceptions import WorkflowAlreadyStartedError

from activities import interface
from domain.callbacks import Callback
from domain.session import Session
from domain.workflow_ids import erasure_id
from workflows import policies
from workflows.effects import erase_request

ERASURE = "Erasure"
"""The type of the workflow that erases. One workflow a file, so those that start it know its name only."""


async def bury(session: Session, callback: Callback | None) -> None:
    """Returns when a tombstone stands where the row was: from then on nobody finds the session."""
    await workflow.execute_activity(
        interface.bury_session,
        interface.BuryRequest(**dict(erase_request(session)), callback=callback),
        start_to_close_timeout=policies.BURY_TIMEOUT,
        retry_policy=policies.BURY_RETRY,
        summary="Put a tombstone in place of the rows",
    )


async def begin_erasure(session: Session) -> None:
    """Returns when the erasure is durable. It goes on by itself, and deletes the history of this workflow too."""
    with contextlib.suppress(WorkflowAlreadyStartedError):
        await workflow.start_child_workflow(
            ERASURE,
            erase_request(session),
            id=erasure_id(session.session_id),
            parent_close_policy=workflow.ParentClosePolicy.ABANDON,
            static_summary="Erase objects, histories and rows",
        )


async def erase_everything(request: interface.EraseRequest) -> str:
    """Objects, then the histories of the session's runs, objects again, and a signed receipt, which is returned."""
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
