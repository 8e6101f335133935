"""The histories of runs: reads a session from one, newest event first, for comparison with the database; deletes them.

Neither needs a worker or a query, which could block the run (decision 0012).
"""

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import UTC, timedelta
from typing import TypeVar

from temporalio.api.common.v1 import Payload, WorkflowExecution
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest, GetWorkflowExecutionHistoryReverseRequest
from temporalio.client import Client
from temporalio.converter import DataConverter
from temporalio.service import RPCError, RPCStatusCode

from activities.interface import RecordAndSendRequest, RecordedAndSent, RecordRequest
from domain.ports.session_requests import ActionResult, SessionStart
from domain.ports.temporal import NotRunning
from domain.session.session import Session
from workflows.session.email_requests import sent

PAGE = 10
"""Events in a page. One page usually contains the latest change."""

PAGE_TIMEOUT = timedelta(seconds=2)

T = TypeVar("T")


async def read_history_backwards(client: Client, workflow_id: str) -> AsyncIterator[HistoryEvent]:
    """Yields the events of the workflow's latest run, newest first. Raises `RPCError`: NOT_FOUND without such a run."""
    request = GetWorkflowExecutionHistoryReverseRequest(
        namespace=client.namespace, execution=WorkflowExecution(workflow_id=workflow_id), maximum_page_size=PAGE
    )
    while True:
        page = await client.workflow_service.get_workflow_execution_history_reverse(request, timeout=PAGE_TIMEOUT)
        for event in page.history.events:
            yield event
        if not page.next_page_token:
            break
        request.next_page_token = page.next_page_token


async def latest_session(events: AsyncIterator[HistoryEvent], converter: DataConverter) -> Session:
    """Returns the latest session in `events`, which are newest first; raises `NotRunning` if there is none."""
    async for shown in _snapshots(events, converter):
        return shown.session
    raise NotRunning


async def latest_whole_session(events: AsyncIterator[HistoryEvent], converter: DataConverter) -> ActionResult:
    """Returns the latest session, and all events and callbacks, oldest first; raises `NotRunning` without a session."""
    all_shown = [shown async for shown in _snapshots(events, converter)]
    if not all_shown:
        raise NotRunning
    happened = {event.sequence: event for shown in all_shown for event in shown.events}
    callbacks = {callback.event_id: callback for shown in all_shown for callback in shown.callbacks}
    return ActionResult(
        session=all_shown[0].session,
        events=tuple(happened[number] for number in sorted(happened)),
        callbacks=tuple(sorted(callbacks.values(), key=lambda callback: callback.sequence)),
    )


async def _snapshots(
    events: AsyncIterator[HistoryEvent], converter: DataConverter
) -> AsyncIterator[RecordRequest | SessionStart | ActionResult]:
    """Yields the sessions in `events`, newest first. That of a record includes the emails that left with it."""
    results: dict[int, HistoryEvent] = {}
    async for event in events:
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            results[event.activity_task_completed_event_attributes.scheduled_event_id] = event
        shown = await _snapshot_in(event, converter)
        if shown is not None and event.event_id in results and _schedules(event, "record_and_send"):
            shown = await _with_emails(event, results[event.event_id], converter)
        if shown is not None:
            yield shown


async def _with_emails(scheduled: HistoryEvent, completed: HistoryEvent, converter: DataConverter) -> RecordRequest:
    """Returns the record with the session that it wrote after its emails had left."""
    sent_with = scheduled.activity_task_scheduled_event_attributes.input.payloads
    request = await _decoded(converter, sent_with, RecordAndSendRequest)
    answered = completed.activity_task_completed_event_attributes.result.payloads
    done = await _decoded(converter, answered, RecordedAndSent)
    if not done.is_recorded:
        return request
    session, at = request.session, completed.event_time.ToDatetime(UTC)
    for name in done.sent:
        session = sent(session, request.emails[name], at)
    return request.model_copy(update={"session": session.model_copy(update={"revision": request.revision})})


async def _snapshot_in(
    event: HistoryEvent, converter: DataConverter
) -> RecordRequest | SessionStart | ActionResult | None:
    if _schedules(event, "record_and_send") or _schedules(event, "record_session"):
        recorded = event.activity_task_scheduled_event_attributes.input.payloads
        return await _decoded(converter, recorded, RecordRequest)
    if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED:
        outcome = event.workflow_execution_update_completed_event_attributes.outcome
        answered = outcome.success.payloads
        return await _decoded(converter, answered, ActionResult) if answered else None
    if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
        started = event.workflow_execution_started_event_attributes.input.payloads
        return await _decoded(converter, started, SessionStart)
    if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
        ended = event.workflow_execution_completed_event_attributes.result.payloads
        return ActionResult(session=await _decoded(converter, ended, Session), events=(), callbacks=())
    return None


def _schedules(event: HistoryEvent, activity: str) -> bool:
    return (
        event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
        and event.activity_task_scheduled_event_attributes.activity_type.name == activity
    )


async def _decoded(converter: DataConverter, payloads: Sequence[Payload], kind: type[T]) -> T:
    value: T
    [value] = await converter.decode(payloads, [kind])
    return value


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
