"""Callbacks and their bodies: one for each event that `is_announced` (Specification 6.2)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from domain.audit.events import Event, EventType
from domain.session.labels import callback_labels
from domain.session.recipients import Recipient, RecipientStatus
from domain.session.reported_values import FileValues
from domain.session.snapshot import SessionSnapshot
from domain.session.status import SessionStatus
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import EventId, RecipientId, SessionId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339
from domain.texts.described_enum import DescribedEnum

SESSION_DELETED = "session.deleted"
"""The type of the callback after a permanent deletion, which is not an event of the history."""

_STATUS_AFTER = {
    EventType.SESSION_CREATED: SessionStatus.DRAFT,
    EventType.SESSION_SENT: SessionStatus.PENDING,
    EventType.RECIPIENT_COMPLETED: SessionStatus.IN_PROGRESS,
    EventType.RECIPIENT_APPROVED: SessionStatus.IN_PROGRESS,
    EventType.SESSION_COMPLETED: SessionStatus.COMPLETED,
    EventType.SESSION_DECLINED: SessionStatus.DECLINED,
    EventType.SESSION_EXPIRED: SessionStatus.EXPIRED,
    EventType.SESSION_ARCHIVED: SessionStatus.CANCELLED,
}
_RECIPIENT_AFTER = {
    EventType.RECIPIENT_VIEWED: RecipientStatus.VIEWED,
    EventType.RECIPIENT_COMPLETED: RecipientStatus.COMPLETED,
    EventType.RECIPIENT_APPROVED: RecipientStatus.COMPLETED,
    EventType.RECIPIENT_DECLINED: RecipientStatus.DECLINED,
}
_ANNOUNCED = {
    *_RECIPIENT_AFTER,
    EventType.RECIPIENT_INVITATION_FAILED,
    EventType.RECIPIENT_DELEGATED,
    EventType.SESSION_SENT,
    EventType.SESSION_COMPLETED,
    EventType.SESSION_DOCUMENTS_GENERATED,
    EventType.SESSION_DECLINED,
    EventType.SESSION_EXPIRED,
    EventType.SESSION_ARCHIVED,
    EventType.SESSION_RESTORED,
}


def is_announced(event: Event, session: SessionSnapshot) -> bool:
    """Returns whether the event has a callback. Of invitations, only the first of a recipient after sending has one."""
    if event.type is EventType.RECIPIENT_INVITED:
        return event.details.get("invitation") == 1 and event.at != session.sent_at
    return event.type in _ANNOUNCED


class CallbackStatus(DescribedEnum):
    """Status of the delivery of a callback."""

    PENDING = "pending", "being attempted, waiting for the next attempt, or held while its receiver is paused"
    DELIVERED = "delivered", "the receiver responded with 2xx"
    FAILED = "failed", "the receiver responded with 410, or the last attempt failed"


class Callback(FrozenModel):
    """One callback. Its body is the same at all attempts, and stored without values (`with_values` adds them)."""

    event_id: EventId
    sequence: int
    type: str
    at: datetime
    url: str
    body: str


def event_id(session_id: SessionId, content: str) -> EventId:
    """Returns the id of a callback, derived from the hash of its event or, for a deletion, of its body."""
    return EventId(str(uuid5(UUID(session_id), f"event/{content}")))


def receiver_of(url: str) -> str:
    """Returns the receiver of `url`: scheme, host and port."""
    parts = urlsplit(url)
    port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    host = (parts.hostname or "").rstrip(".")
    return f"{parts.scheme}://[{host}]:{port}" if ":" in host else f"{parts.scheme}://{host}:{port}"


def callbacks_of(before: SessionSnapshot, after: SessionSnapshot, events: Sequence[Event]) -> tuple[Callback, ...]:
    """Returns the callbacks of a transition from `before` to `after`; none for a session without `callbackUrl`."""
    return tuple(_callbacks(before.status, after, events))


def callback_of_deletion(session: SessionSnapshot, status_before: SessionStatus) -> Callback | None:
    """Returns the callback of a permanent deletion, without name and labels; None without a `callbackUrl`."""
    if session.callback_url is None:
        return None
    at, sequence = session.erased_at or session.updated_at, session.sequence + 1
    data = {
        "sessionId": session.session_id,
        "name": None,
        "status": "deleted",
        "previousStatus": status_before.value,
        "sequence": sequence,
    }
    body = _body(SESSION_DELETED, at, data)
    return Callback(
        event_id=event_id(session.session_id, digest(body.encode())),
        sequence=sequence,
        type=SESSION_DELETED,
        at=at,
        url=session.callback_url,
        body=body,
    )


def signer_of(type: str, body: str) -> RecipientId | None:
    """Returns the recipient whose values the body of a callback still lacks; None if it is complete."""
    if type != EventType.RECIPIENT_COMPLETED:
        return None
    data = json.loads(body)["data"]
    return RecipientId(data["recipient"]["recipientId"]) if "files" in data else None


def with_values(body: str, files: Sequence[FileValues]) -> str:
    """Returns `body` with the values of its recipient. The same values give the same bytes."""
    announced = json.loads(body)
    announced["data"]["files"] = [file.facts() for file in files]
    return _written(announced)


def _callbacks(status: SessionStatus, after: SessionSnapshot, events: Sequence[Event]) -> Iterator[Callback]:
    for event in events:
        previous, status = status, _status_after(event, status)
        if after.callback_url is None or not is_announced(event, after):
            continue
        data: dict[str, object] = {
            "sessionId": after.session_id,
            "name": after.name,
            "status": status.value,
            "previousStatus": previous.value,
            "sequence": event.sequence,
            **callback_labels(after),
        }
        if "recipientId" in event.details:
            data["recipient"] = _recipient(event, after)
        if event.type is EventType.RECIPIENT_COMPLETED and after.callback_values:
            data["files"] = None  # `with_values` inserts the values for each attempt
        yield Callback(
            event_id=event_id(after.session_id, event.hash),
            sequence=event.sequence,
            type=event.type.value,
            at=event.at,
            url=after.callback_url,
            body=_body(event.type.value, event.at, data),
        )


def _status_after(event: Event, before: SessionStatus) -> SessionStatus:
    if event.type is EventType.SESSION_RESTORED:
        return SessionStatus(str(event.details["status"]))
    if event.type is EventType.SESSION_DOCUMENTS_GENERATED and before is not SessionStatus.CANCELLED:
        return SessionStatus.COMPLETED_AND_GENERATED
    return _STATUS_AFTER.get(event.type, before)


def _recipient(event: Event, session: SessionSnapshot) -> dict[str, object]:
    who: Recipient = next(r for r in session.recipients if r.recipient_id == event.details["recipientId"])
    role = {} if who.signs else {"role": who.role.value}
    return {
        "recipientId": who.recipient_id,
        "key": who.key,
        "name": who.name,
        "email": who.email,
        "signingOrder": who.signing_order,
        **role,
        "status": _RECIPIENT_AFTER.get(event.type, who.status).value,
    }


def _body(type: str, at: datetime, data: Mapping[str, object]) -> str:
    return _written({"type": type, "timestamp": rfc3339(at), "data": data})


def _written(body: Mapping[str, object]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
