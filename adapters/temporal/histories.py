"""What Temporal keeps of workflows, and getting rid of it."""

from collections.abc import Sequence
from typing import Protocol

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode


class Histories(Protocol):
    """Histories of workflows."""

    async def delete(self, workflow_ids: Sequence[str]) -> int:
        """Deletes all runs of these workflows; how many were found. None left to be seen: 0.

        A run that is still going on is ended.
        """
        ...


class TemporalHistories:
    """Keeps `Histories` in the namespace of `client`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def delete(self, workflow_ids: Sequence[str]) -> int:
        found = 0
        for workflow_id in workflow_ids:
            async for run in self._client.list_workflows(f"WorkflowId = '{workflow_id}'"):
                found += 1
                await self._delete(run.id, run.run_id)
        return found

    async def _delete(self, workflow_id: str, run_id: str) -> None:
        request = DeleteWorkflowExecutionRequest(
            namespace=self._client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
        )
        try:
            await self._client.workflow_service.delete_workflow_execution(request)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # gone, and only the list does not know it yet
                raise
