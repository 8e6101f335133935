"""Writing the projection from within a workflow."""

from temporalio import workflow

from activities import interface
from domain.events import Event
from domain.session import Session
from workflows import policies


async def record(session: Session, events: tuple[Event, ...]) -> None:
    """Returns when the row and the events are written, however long that takes."""
    await workflow.execute_local_activity(
        interface.record_session,
        interface.RecordRequest(session=session, events=events),
        start_to_close_timeout=policies.RECORD_TIMEOUT,
        retry_policy=policies.RECORD_RETRY,
        local_retry_threshold=policies.RECORD_RETRY_BY_TIMER,
        summary=f"Record revision {session.revision}",
    )
