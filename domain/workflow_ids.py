"""Workflow ids, as shown in the Temporal UI."""

from domain.callbacks.delivery_schedule import ReceiverPause
from domain.shared.ids import BatchId, EventId, SessionId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339


def session_workflow_id(session_id: SessionId) -> str:
    """Returns the workflow id of a session's run."""
    return f"session/{session_id}"


def erasure_id(session_id: SessionId) -> str:
    """Returns the workflow id of the erasure of a permanently deleted session."""
    return f"erasure/{session_id}"


def batch_workflow_id(batch_id: BatchId) -> str:
    """Returns the workflow id of a batch."""
    return f"batch/{batch_id}"


def callback_id(event_id: EventId) -> str:
    """Returns the workflow id of a callback's delivery."""
    return f"callback/{event_id}"


def pause_id(pause: ReceiverPause) -> str:
    """Returns the workflow id of the mails about one pause of a receiver."""
    return f"pause/{digest(f'{pause.organisation_id} {pause.receiver} {rfc3339(pause.at)}'.encode())[:32]}"


def session_of(workflow_id: str) -> str | None:
    """Returns the session id in a workflow id, if it has one."""
    kind, _, identifier = workflow_id.partition("/")
    return identifier if kind in {"session", "erasure"} else None
