"""Runs go on when somebody asks for their cancellation, which the pages of Temporal offer as their first button.

A session ends by the acts of people and programs alone; a run that ended because an operator pressed a button would
leave it half done, with nobody who reminds, signs or erases. The request stays in the history.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import is_cancelled_exception

CANCELLATION_IGNORED = (
    "Somebody asked Temporal to cancel this run. It goes on: what it does was promised, and it ends by itself."
)

Result = TypeVar("Result")


async def ignore_cancellation(life: Coroutine[Any, Any, Result]) -> Result:
    """Returns what `life` returns. A cancellation that somebody asks Temporal for is refused, which the details of the
    run say. Temporal passes on the first such request only.

    The SDK cancels the task that is the run, and no other one, by the order in which it does the jobs of an activation.
    """
    living = asyncio.create_task(life)
    try:
        return await asyncio.shield(living)
    except asyncio.CancelledError as cancelled:
        if not is_cancellation_request(cancelled):
            raise
    workflow.set_current_details(CANCELLATION_IGNORED)
    return await living


def is_cancellation_request(error: BaseException) -> bool:
    """Whether somebody asked for this cancellation, and it is not that of the SDK, which forgets a run for a while."""
    return is_cancelled_exception(error) and workflow.cancellation_reason() is not None
