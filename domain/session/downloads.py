"""What is handed out of a session, and to whom: signed documents, the certificate, and what recipients entered
(Specification 6.1).
"""

from collections.abc import Mapping, Sequence

from domain.audit.events import Actor, EventType
from domain.session.state import FINISHED, SessionState
from domain.session.status_errors import not_completed
from domain.shared.errors import DocumentNotReady, NotDue
from domain.shared.ids import FileId, RecipientId

CERTIFICATE = "certificate"
"""The certificate of completion among the copies that are wanted; documents go by their file ids."""

_VALUES = "values/"


def values_item(recipient_id: RecipientId) -> str:
    """What that recipient entered, among the copies that are wanted."""
    return f"{_VALUES}{recipient_id}"


def check_available(session: SessionState, copy: str) -> None:
    """Returns if `copy` can be handed out now.

    Raises:
        SessionNotCompleted: signing has not finished, or the session is archived. Values do not wait for that.
        DocumentNotReady: the document is still being generated.
        NotDue: the recipient whose values these are has not signed.
    """
    if copy.startswith(_VALUES):
        if session.recipient(_recipient_of(copy)).submission is None:
            raise NotDue
    elif session.status not in FINISHED:
        raise not_completed(session)
    elif copy != CERTIFICATE and not session.file(FileId(copy)).signed:
        raise DocumentNotReady


def download_event(copy: str) -> tuple[EventType, Mapping[str, str]]:
    """The type and the details of the event that `copy` was handed out."""
    if copy.startswith(_VALUES):
        return EventType.SESSION_VALUES_READ, {"recipientId": _recipient_of(copy)}
    if copy == CERTIFICATE:
        return EventType.SESSION_DOWNLOADED, {"copy": CERTIFICATE}
    return EventType.SESSION_DOWNLOADED, {"copy": "document", "fileId": copy}


def download_key(actor: Actor, wanted: str) -> str:
    """What a session remembers when `actor` has got the copy that is `wanted`."""
    return f"{actor.kind.value} {actor.id} {wanted}"


def unrecorded_downloads(downloaded: Sequence[str], actor: Actor, wanted: Sequence[str]) -> tuple[str, ...]:
    """Which of the copies `actor` gets for the first time."""
    return tuple(copy for copy in dict.fromkeys(wanted) if download_key(actor, copy) not in downloaded)


def _recipient_of(copy: str) -> RecipientId:
    return RecipientId(copy.removeprefix(_VALUES))
