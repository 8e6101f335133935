"""Reading a running session out of its history, newest event first.

No query is asked: one that a worker takes up late brings events along that no workflow task has brought yet, and the
SDK applies them ahead of time; the run then differs from its own history, and stands still (decision 0012). The history
answers without any worker, and holds nothing but what is durable.
"""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import TypeVar

from temporalio.api.common.v1 import Payload, WorkflowExecution
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflowservice.v1 import GetWorkflowExecutionHistoryReverseRequest
from temporalio.client import Client
from temporalio.converter import DataConverter

from activities.interface import InvitationRequest, RecordRequest
from domain.errors import SessionNotFound
from domain.session import Session
from workflows.messages import SessionStart

PAGE = 10
"""Events read at once: more than usually follow the latest change."""

PAGE_TIMEOUT = timedelta(seconds=2)

T = TypeVar("T")


async def newest_events(client: Client, workflow_id: str) -> AsyncIterator[HistoryEvent]:
    """The events of the workflow's latest run, newest first.

    Raises:
        RPCError: NOT_FOUND when there is no such run.
    """
    request = GetWorkflowExecutionHistoryReverseRequest(
        namespace=client.namespace,
        execution=WorkflowExecution(workflow_id=workflow_id),
        maximum_page_size=PAGE,
    )
    while True:
        page = await client.workflow_service.get_workflow_execution_history_reverse(request, timeout=PAGE_TIMEOUT)
        for event in page.history.events:
            yield event
        if not page.next_page_token:
            break
        request.next_page_token = page.next_page_token


async def newest_session(events: AsyncIterator[HistoryEvent], converter: DataConverter) -> Session:
    """The session as it was last shown: told to the projection, answered to somebody, or begun.

    A link that has been made since is added: nobody holds one that is not found here. `events` come newest first.

    Raises:
        SessionNotFound: the events are of something else.
    """
    invitations: list[InvitationRequest] = []
    async for event in events:
        session = await _session_in(event, converter)
        if session is not None:
            for invitation in reversed(invitations):
                link = invitation.link
                session = session.with_link(link.recipient_id, link.invitation, invitation.link_hash)
            return session
        if _schedules(event, "send_invitation"):
            scheduled = event.activity_task_scheduled_event_attributes
            invitations.append(await _decoded(converter, scheduled.input.payloads, InvitationRequest))
    raise SessionNotFound


async def _session_in(event: HistoryEvent, converter: DataConverter) -> Session | None:
    if _schedules(event, "record_session"):
        recorded = event.activity_task_scheduled_event_attributes.input.payloads
        return (await _decoded(converter, recorded, RecordRequest)).session
    if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED:
        outcome = event.workflow_execution_update_completed_event_attributes.outcome
        answered = outcome.success.payloads
        return await _decoded(converter, answered, Session) if answered else None
    if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
        begun = event.workflow_execution_started_event_attributes.input.payloads
        return (await _decoded(converter, begun, SessionStart)).session
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
