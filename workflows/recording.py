"""Writing the projection from within a workflow."""

from temporalio import workflow

from activities import interface
from domain.callbacks import Callback
from domain.events import Event
from domain.session import Session
from workflows import policies


async def record(session: Session, events: tuple[Event, ...], callbacks: tuple[Callback, ...]) -> None:
    """Returns when the row, the events and `callbacks` are written, however long that takes.

    No local activity: that runs before what the workflow has decided is durable, and after a crash another decision,
    with another time, may stand in its place.
    """
    await workflow.execute_activity(
        interface.record_session,
        interface.RecordRequest(session=session, events=events, callbacks=callbacks),
        start_to_close_timeout=policies.RECORD_TIMEOUT,
        retry_policy=policies.RECORD_RETRY,
        cancellation_type=policies.TO_ITS_END,
        summary=f"Record revision {session.revision}",
    )
