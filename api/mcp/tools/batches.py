"""Tools for batches of sessions from a template."""

from typing import Any

from api.mcp.tool import SENDER_IS_USER, Answer, Call, IdempotentCall, tool
from application.batches.batch_actions import act_on_batch, read_results
from application.batches.batch_actions import get_batch as find_batch
from application.batches.create_batch import PostedBatch
from application.batches.create_batch import create_batch as create
from application.idempotency import Attempt
from application.schemas.base import Identifier, RequestModel
from application.schemas.batches import BatchCreate, BatchRead
from application.scopes import Scope
from domain.batches.batch import Batch
from domain.ports.batches import BatchAction


class CreateBatch(BatchCreate, IdempotentCall):
    pass


class OneBatch(RequestModel):
    batch_id: Identifier


@tool(
    "Create batch",
    "POST /api/v1/SessionFromTemplate/Batch",
    Scope.WRITE_SESSIONS,
    is_idempotent=False,
    emails_people=True,
    own=SENDER_IS_USER,
)
async def create_batch(call: Call[CreateBatch]) -> Answer:
    """Creates up to 1,000 sessions from an active template, one for each row of `rows`: drafts, unless
    `sendImmediately` is true, which EMAILS the recipients of all rows at once or soon. Ask the user first.

    Each row has `recipients` and `variableValues` as create_session_from_template takes them. Call get_template first.
    All rows are checked before any session is created. If there are issues, no session is created. get_batch returns
    the progress.
    """

    async def act(attempt: Attempt) -> tuple[None, BatchRead]:
        batch = await create(call.services, call.caller, PostedBatch(call.arguments), attempt)
        return None, BatchRead.from_batch(batch)

    return Answer(await call.once(act))


@tool("Get batch", "GET /api/v1/SessionFromTemplate/Batch/{batchId}", Scope.READ_SESSIONS)
async def get_batch(call: Call[OneBatch]) -> Answer:
    """Returns the state of a batch, counts of its rows, and the rows that failed with their reasons."""
    return Answer.of(BatchRead.from_batch(await _find(call)))


@tool("List results", "GET /api/v1/SessionFromTemplate/Batch/{batchId}/Results", Scope.READ_SESSIONS)
async def list_results(call: Call[OneBatch]) -> Answer:
    """Returns the session and the status of each row of a batch, during and after its run."""
    return Answer.of(await read_results(call.services, await _find(call)))


@tool("Pause batch", "POST /api/v1/SessionFromTemplate/Batch/{batchId}/Pause", Scope.WRITE_SESSIONS)
async def pause_batch(call: Call[OneBatch]) -> Answer:
    """Pauses a batch after the current row. resume_batch continues with the next row."""
    return await _act(call, "pause")


@tool(
    "Resume batch",
    "POST /api/v1/SessionFromTemplate/Batch/{batchId}/Resume",
    Scope.WRITE_SESSIONS,
    emails_people=True,
)
async def resume_batch(call: Call[OneBatch]) -> Answer:
    """Resumes a paused batch with the next row. EMAILS its recipients, unless the batch creates drafts."""
    return await _act(call, "resume")


@tool("Cancel batch", "POST /api/v1/SessionFromTemplate/Batch/{batchId}/Cancel", Scope.WRITE_SESSIONS)
async def cancel_batch(call: Call[OneBatch]) -> Answer:
    """Cancels a batch after the current row: the remaining rows get no sessions. This cannot be undone; the sessions
    that were created stay as they are.
    """
    return await _act(call, "cancel")


async def _find(call: Call[Any]) -> Batch:
    """Returns the batch that the call names. Raises `BatchNotFound`."""
    return await find_batch(call.services, call.caller.organisation_id, call.arguments.batch_id)


async def _act(call: Call[OneBatch], act: BatchAction) -> Answer:
    return Answer.of(BatchRead.from_batch(await act_on_batch(call.services, await _find(call), act)))
