"""Starts and updates the workflows of batches."""

from collections.abc import Sequence
from contextlib import suppress

from temporalio.client import Client, Interceptor
from temporalio.common import Priority, SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from activities.interface import SESSIONS_QUEUE
from domain.batches.batch import Batch, BatchProgress
from domain.shared.ids import BatchId
from domain.shared.workflow_ids import batch_workflow_id
from ports.batches import BatchAction, BatchRuns
from workflows.batch import BatchWorkflow
from workflows.client.rpc_errors import map_errors
from workflows.client.session_runs import START_TIMEOUT, WRITE_TIMEOUT
from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.session.ui_details import ORGANISATION_ID

_LAST = 5
"""Temporal's lowest priority. The default is 3: sessions that people wait for go first."""


async def connect_batch_runs(choice: TemporalConfig, around: Sequence[Interceptor] = ()) -> BatchRuns:
    """Returns the runs of a namespace. While Temporal does not respond, calls raise `Unavailable`."""
    return TemporalBatchRuns(await connect(choice, lazy=True, interceptors=around))


class TemporalBatchRuns:
    """Implements `BatchRuns`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, batch: Batch) -> None:
        with suppress(WorkflowAlreadyStartedError):
            await map_errors(
                self._client.start_workflow(
                    BatchWorkflow.run,
                    batch.progress(),
                    id=batch_workflow_id(batch.batch_id),
                    task_queue=SESSIONS_QUEUE,
                    id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
                    static_summary=batch.name,
                    static_details=f"A batch of {batch.total} sessions from the template `{batch.template_id}`.",
                    priority=Priority(priority_key=_LAST, fairness_key=batch.organisation_id),
                    search_attributes=TypedSearchAttributes(
                        [SearchAttributePair(ORGANISATION_ID, batch.organisation_id)]
                    ),
                    rpc_timeout=START_TIMEOUT,
                ),
                is_start=True,
            )

    async def act(self, batch_id: BatchId, act: BatchAction) -> BatchProgress:
        handle = self._client.get_workflow_handle(batch_workflow_id(batch_id))
        return await map_errors(handle.execute_update(act, result_type=BatchProgress, rpc_timeout=WRITE_TIMEOUT))
