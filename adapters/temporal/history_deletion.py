"""Deletes the histories of workflows."""

from collections.abc import Collection, Sequence

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

_RUNS = "WorkflowId = '{}' AND (TemporalNamespaceDivision IS NULL OR TemporalNamespaceDivision = '')"
"""A query for the runs of one workflow, by its index. If a query does not name the namespace division, Temporal adds a
condition for which SQLite scans the index of divisions, and so every run."""


class TemporalHistories:
    """Implements `WorkflowHistories` in the namespace of `client`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        found = []
        for workflow_id in workflow_ids:
            async for run in self._client.list_workflows(_RUNS.format(workflow_id)):
                found.append(run.run_id)
                if run.run_id not in asked:
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
            if error.status is not RPCStatusCode.NOT_FOUND:  # deleted, but still in the list
                raise
