"""Ignores cancellation requests, which are the first action that Temporal's UI offers for a run.

Only its organisation and its recipients end a session. A cancelled run would leave it incomplete: no reminders,
no signed documents, no erasure. The request stays in the history.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import is_cancelled_exception

CANCELLATION_IGNORED = "A request to cancel this run was ignored. The run ends when its work is complete."

Result = TypeVar("Result")


async def ignore_cancellation(life: Coroutine[Any, Any, Result]) -> Result:
    """Returns the result of `life`. Ignores a cancellation request, and shows that in the current details.

    The SDK cancels only the task of the run, because of the order in which it processes the jobs of an activation.
    """
    living = asyncio.create_task(life)
    try:
        # Awaited without it, `living` would be cancelled with this task.
        return await asyncio.shield(living)
    except asyncio.CancelledError as cancelled:
        if not is_cancellation_request(cancelled):
            raise
    workflow.set_current_details(CANCELLATION_IGNORED)
    return await living


def is_cancellation_request(error: BaseException) -> bool:
    """Whether a cancellation was requested, as opposed to the SDK evicting the run from its cache."""
    return is_cancelled_exception(error) and workflow.cancellation_reason() is not None
