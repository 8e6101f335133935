"""Writing the projection from within a workflow."""

from temporalio import workflow

from activities import interface
from domain.callbacks import Callback
from domain.events import Event
from domain.session import Session
from workflows import policies

_MOST_NAMED = 5
"""Kinds of events that a summary names, of which Temporal keeps 400 characters."""


async def record(
    session: Session, events: tuple[Event, ...], callbacks: tuple[Callback, ...], *, is_awaited: bool = False
) -> None:
    """Returns when the row, the events and `callbacks` are written, however long that takes.

    A worker that died over it is noticed sooner where the answer to somebody `is_awaited`.

    No local activity: that runs before what the workflow has decided is durable, and after a crash another decision,
    with another time, may stand in its place.
    """
    await workflow.execute_activity(
        interface.record_session,
        interface.RecordRequest(session=session, events=events, callbacks=callbacks),
        start_to_close_timeout=policies.AWAITED_TIMEOUT if is_awaited else policies.RECORD_TIMEOUT,
        retry_policy=policies.RECORD_RETRY,
        cancellation_type=policies.TO_ITS_END,
        summary=_summary(session, events),
    )


def _summary(session: Session, events: tuple[Event, ...]) -> str:
    """What the history of the run shows of it: what has happened."""
    happened = list(dict.fromkeys(event.type.value for event in events))
    if not happened:
        return f"Record progress (revision {session.revision})"
    return f"Record {', '.join(happened[:_MOST_NAMED])}{' …' if len(happened) > _MOST_NAMED else ''}"
