"""Downloads of a session: signed documents, the certificate and recipients' values (Specification 6.1).

An *item* names one of them: the file id of a document, `CERTIFICATE`, or `values_item` of a recipient.
"""

from collections.abc import Mapping, Sequence

from domain.audit.events import Actor, EventType
from domain.session.error_messages import not_completed
from domain.session.snapshot import SessionSnapshot
from domain.session.status import FINISHED
from domain.shared.errors import DocumentNotReady, NotDue
from domain.shared.ids import FileId, RecipientId

CERTIFICATE = "certificate"
"""The item of the certificate of completion."""

_VALUES = "values/"


def values_item(recipient_id: RecipientId) -> str:
    """Returns the item of the recipient's values."""
    return f"{_VALUES}{recipient_id}"


def check_available(session: SessionSnapshot, item: str) -> None:
    """Raises `SessionNotCompleted`, `DocumentNotReady`, or `NotDue` for values of a recipient who has not signed."""
    if item.startswith(_VALUES):
        if session.recipient(_recipient_of(item)).submission is None:
            raise NotDue
    elif session.status not in FINISHED:
        raise not_completed(session)
    elif item != CERTIFICATE and not session.file(FileId(item)).signed:
        raise DocumentNotReady


def download_event(item: str) -> tuple[EventType, Mapping[str, str]]:
    """Returns the type and the details of the event of a download."""
    if item.startswith(_VALUES):
        return EventType.SESSION_VALUES_READ, {"recipientId": _recipient_of(item)}
    if item == CERTIFICATE:
        return EventType.SESSION_DOWNLOADED, {"copy": CERTIFICATE}
    return EventType.SESSION_DOWNLOADED, {"copy": "document", "fileId": item}


def download_key(actor: Actor, item: str) -> str:
    """Returns the entry for a download of `item` by `actor` in the session's list of downloads."""
    return f"{actor.kind.value} {actor.id} {item}"


def unrecorded_downloads(downloaded: Sequence[str], actor: Actor, items: Sequence[str]) -> tuple[str, ...]:
    """Returns the items that `actor` downloads for the first time, each once."""
    return tuple(item for item in dict.fromkeys(items) if download_key(actor, item) not in downloaded)


def _recipient_of(item: str) -> RecipientId:
    return RecipientId(item.removeprefix(_VALUES))
