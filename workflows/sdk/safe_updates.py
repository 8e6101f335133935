"""Turns an unexpected error in an update handler into a failure of that update.

Without it the error would fail the workflow task again and again: the caller hangs, and the session is stuck.
"""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ApplicationError, FailureError
from temporalio.worker import (
    HandleUpdateInput,
    Interceptor,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
)

from domain.shared.errors import SigningError

INTERNAL_ERROR = "InternalError"


class _SafeUpdates(WorkflowInboundInterceptor):
    async def handle_update_handler(self, input: HandleUpdateInput) -> object:
        try:
            return await super().handle_update_handler(input)
        except (FailureError, asyncio.CancelledError, workflow.NondeterminismError):
            raise
        except SigningError as refusal:
            raise ApplicationError(str(refusal), type=type(refusal).__name__, non_retryable=True) from refusal
        except Exception as error:
            raise ApplicationError(
                f"internal error in update {input.update}", type=INTERNAL_ERROR, non_retryable=True
            ) from error


class SafeUpdates(Interceptor):
    """Registered with every worker that runs workflows."""

    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: ARG002  # the signature of the SDK
    ) -> type[WorkflowInboundInterceptor]:
        return _SafeUpdates
