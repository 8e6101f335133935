"""The names under which operators see workflows in the Temporal UI."""

from domain.callbacks.delivery import ReceiverPause
from domain.shared.ids import EventId, SessionId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339


def session_workflow_id(session_id: SessionId) -> str:
    """The run of a session, from sending until nothing is left to do."""
    return f"session/{session_id}"


def erasure_id(session_id: SessionId) -> str:
    """The run that erases everything of a session that was deleted for ever."""
    return f"erasure/{session_id}"


def callback_id(event_id: EventId) -> str:
    """The run that delivers one callback."""
    return f"callback/{event_id}"


def pause_id(pause: ReceiverPause) -> str:
    """The run that tells an organisation's people of one pause of one receiver."""
    return f"pause/{digest(f'{pause.organisation_id} {pause.receiver} {rfc3339(pause.at)}'.encode())[:32]}"


def session_of(workflow_id: str) -> str | None:
    """The session that a run is about, where its name says so."""
    kind, _, identifier = workflow_id.partition("/")
    return identifier if kind in {"session", "erasure"} else None
