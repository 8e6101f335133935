"""Batches on a Temporal server: the API on its database, and a worker whose dependencies fail as they are told."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from temporalio.client import Client, WorkflowHandle
from temporalio.worker import Worker

from activities.batches import BatchActivities
from activities.interface import BATCHES_QUEUE, SESSIONS_QUEUE
from adapters.database.repositories.batches import DatabaseBatches
from application.batches.batch_actions import act_on_batch, get_batch
from domain.batches.batch import Batch, BatchProgress, FailedRow, session_of_row
from domain.ports.batches import BatchAction
from domain.ports.database import DatabaseUnavailable
from domain.shared.ids import BatchId
from domain.workflow_ids import batch_workflow_id
from tests.api.service import Service
from tests.api.templates import VALUES, make, post
from tests.builders import ORGANISATION
from tests.workflows.waiting import eventually
from workflows.batch import BatchWorkflow
from workflows.client.runs import TemporalBatchRuns
from workflows.workflow_types import WORKFLOWS


class FailingBatches(DatabaseBatches):
    """The next writes of a row that is done fail: before anything is written, or after it, as when a worker dies."""

    failures: Sequence[str] = ()

    async def record_done(self, batch: Batch, failed: FailedRow | None = None) -> None:
        failure, *self.failures = self.failures or ("",)
        if failure == "before":
            raise DatabaseUnavailable
        await super().record_done(batch, failed)
        if failure == "after":
            raise DatabaseUnavailable


class BatchStage:
    """A service with an active template, whose title shows the tenant of a row."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.service = Service()
        self.service.batches = FailingBatches(self.service.database.engine)
        self.batches: FailingBatches = self.service.batches
        self.template: dict[str, Any] = {}
        self.service.use(batch_runs=TemporalBatchRuns(client))
        self.services = self.service.app.state.services

    async def create(self, *rows: dict[str, Any], **changes: Any) -> BatchId:
        self.template = self.template or await make(self.service, document=self.document)
        body = {"templateId": self.template["templateId"], "name": "Leases of July", "rows": rows, **changes}
        answer = await post(self.service, "SessionFromTemplate/Batch", body)
        assert answer.status_code == 200, answer.text
        return BatchId(answer.json()["batchId"])

    @property
    def document(self) -> dict[str, Any]:
        block = {"type": "signatureBlock", "label": "For {{{tenant}}}", "recipient": "tenant"}
        text = {
            "type": "paragraph",
            "text": "{{{tenant}}} rents {{{address}}} for {{{rent}}} from {{{start}}}. {{{note}}}",
        }
        return {"format": "blocks", "title": "Lease of {{{tenant}}}", "blocks": [text, block]}

    def handle(self, batch_id: BatchId) -> WorkflowHandle[BatchWorkflow, BatchProgress]:
        return self.client.get_workflow_handle_for(BatchWorkflow.run, batch_workflow_id(batch_id))

    async def find(self, batch_id: BatchId) -> Batch:
        return await get_batch(self.services, ORGANISATION, batch_id)

    async def act(self, batch_id: BatchId, act: BatchAction) -> Batch:
        return await act_on_batch(self.services, await self.find(batch_id), act)

    async def done(self, batch_id: BatchId, rows: int) -> Batch:
        """Returns the batch when so many of its rows are done."""
        return await eventually(lambda: self.find(batch_id), lambda batch: batch.done >= rows)

    def has_one_session_a_row(self, batch: Batch) -> bool:
        made = {session_of_row(batch.batch_id, row) for row in range(batch.done)}
        return self.service.sessions.held.keys() == made


def row(number: int = 0, **values: Any) -> dict[str, Any]:
    values = {**VALUES, "tenant": f"Tenant {number}", **values}
    return {"recipients": [{"email": f"tenant{number}@example.com"}], "variableValues": values}


@asynccontextmanager
async def batch_stage(client: Client) -> AsyncIterator[BatchStage]:
    stage = BatchStage(client)
    await stage.service.seed()
    activities = BatchActivities(stage.batches, stage.services)
    documents = [activities.check_rows, activities.create_rows]
    async with (
        Worker(client, task_queue=SESSIONS_QUEUE, workflows=WORKFLOWS, activities=[activities.record_batch]),
        Worker(client, task_queue=BATCHES_QUEUE, activities=documents),
    ):
        yield stage
