"""The interceptors of clients and workers: request ids in log lines, and safe update handlers."""

import asyncio
from collections.abc import Mapping
from typing import Any, NoReturn

import structlog
from temporalio import activity, client, worker, workflow
from temporalio.api.common.v1 import Payload
from temporalio.client import WorkflowHandle, WorkflowUpdateHandle
from temporalio.exceptions import ApplicationError, FailureError

from domain.shared.errors import SigningError
from domain.workflow_ids import session_of

workflow.logger.workflow_info_on_message = False  # each line has the ids bound

HEADER = "undersign-request-id"
INTERNAL_ERROR = "InternalError"
_NAME = "request_id"


def _with_request_id(headers: Mapping[str, Payload]) -> Mapping[str, Payload]:
    request_id = structlog.contextvars.get_contextvars().get(_NAME)
    if request_id is None:
        return headers
    return {**headers, HEADER: Payload(metadata={"encoding": b"binary/plain"}, data=str(request_id).encode())}


def _ids(workflow_id: str, run_id: str, headers: Mapping[str, Payload]) -> dict[str, str]:
    ids = {"workflow_id": workflow_id, "run_id": run_id}
    if HEADER in headers:
        ids[_NAME] = headers[HEADER].data.decode(errors="replace")
    session_id = session_of(workflow_id)
    if session_id:
        ids["session_id"] = session_id
    return ids


class RequestIds(client.Interceptor, worker.Interceptor):
    """Passes the request id from the API to the workflow that it starts or updates, and to its activities.

    It applies to every client, and to the workers of that client. The id is in an encrypted header, does not affect
    replay, and is in the log lines of all three. Later work of a workflow has the id of the request that started it.
    """

    def intercept_client(self, next: client.OutboundInterceptor) -> client.OutboundInterceptor:
        return _ClientOutbound(next)

    def intercept_activity(self, next: worker.ActivityInboundInterceptor) -> worker.ActivityInboundInterceptor:
        return _ActivityInbound(next)

    def workflow_interceptor_class(
        self,
        input: worker.WorkflowInterceptorClassInput,  # noqa: ARG002  # the signature of the SDK
    ) -> type[worker.WorkflowInboundInterceptor]:
        return _WorkflowInbound


class _ClientOutbound(client.OutboundInterceptor):
    async def start_workflow(self, input: client.StartWorkflowInput) -> WorkflowHandle[Any, Any]:
        input.headers = _with_request_id(input.headers)
        return await super().start_workflow(input)

    async def start_workflow_update(self, input: client.StartWorkflowUpdateInput) -> WorkflowUpdateHandle[Any]:
        input.headers = _with_request_id(input.headers)
        return await super().start_workflow_update(input)

    async def start_update_with_start_workflow(
        self, input: client.StartWorkflowUpdateWithStartInput
    ) -> WorkflowUpdateHandle[Any]:
        start, update = input.start_workflow_input, input.update_workflow_input
        start.headers, update.headers = _with_request_id(start.headers), _with_request_id(update.headers)
        return await super().start_update_with_start_workflow(input)


class _ActivityInbound(worker.ActivityInboundInterceptor):
    async def execute_activity(self, input: worker.ExecuteActivityInput) -> object:
        info = activity.info()
        ids = _ids(info.workflow_id or "", info.workflow_run_id or "", input.headers)
        with structlog.contextvars.bound_contextvars(**ids, activity=info.activity_type, attempt=info.attempt):
            return await super().execute_activity(input)


class _WorkflowInbound(worker.WorkflowInboundInterceptor):
    def init(self, outbound: worker.WorkflowOutboundInterceptor) -> None:
        super().init(_WorkflowOutbound(outbound))

    async def execute_workflow(self, input: worker.ExecuteWorkflowInput) -> object:
        info = workflow.info()
        structlog.contextvars.bind_contextvars(**_ids(info.workflow_id, info.run_id, input.headers))
        return await super().execute_workflow(input)

    async def handle_update_handler(self, input: worker.HandleUpdateInput) -> object:
        info = workflow.info()
        structlog.contextvars.bind_contextvars(**_ids(info.workflow_id, info.run_id, input.headers))
        return await super().handle_update_handler(input)


class _WorkflowOutbound(worker.WorkflowOutboundInterceptor):
    def start_activity(self, input: worker.StartActivityInput) -> workflow.ActivityHandle[Any]:
        input.headers = _with_request_id(input.headers)
        return super().start_activity(input)

    def start_local_activity(self, input: worker.StartLocalActivityInput) -> workflow.ActivityHandle[Any]:
        input.headers = _with_request_id(input.headers)
        return super().start_local_activity(input)

    async def start_child_workflow(
        self, input: worker.StartChildWorkflowInput
    ) -> workflow.ChildWorkflowHandle[Any, Any]:
        input.headers = _with_request_id(input.headers)
        return await super().start_child_workflow(input)

    def continue_as_new(self, input: worker.ContinueAsNewInput) -> NoReturn:
        input.headers = _with_request_id(input.headers)
        super().continue_as_new(input)


class _SafeUpdates(worker.WorkflowInboundInterceptor):
    async def handle_update_handler(self, input: worker.HandleUpdateInput) -> object:
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


class SafeUpdates(worker.Interceptor):
    """Fails an update whose handler raises an unexpected error, which otherwise fails the workflow task repeatedly."""

    def workflow_interceptor_class(
        self,
        input: worker.WorkflowInterceptorClassInput,  # noqa: ARG002  # the signature of the SDK
    ) -> type[worker.WorkflowInboundInterceptor]:
        return _SafeUpdates
