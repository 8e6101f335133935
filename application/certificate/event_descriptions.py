"""Descriptions of events for the certificate of completion."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from domain.audit.events import ActorKind, Event, EventType

_TITLES = {
    EventType.SESSION_CREATED: "Session created",
    EventType.SESSION_SENT: "Session sent",
    EventType.RECIPIENT_INVITED: "Invited",
    EventType.RECIPIENT_INVITATION_FAILED: "Invitation refused by the mail server",
    EventType.RECIPIENT_REMINDED: "Reminded",
    EventType.RECIPIENT_VIEWED: "Documents opened",
    EventType.RECIPIENT_CONSENTED: "Consent to sign electronically given",
    EventType.RECIPIENT_COMPLETED: "Signed",
    EventType.RECIPIENT_DECLINED: "Declined to sign",
    EventType.SESSION_COMPLETED: "All have signed",
    EventType.SESSION_DOCUMENTS_GENERATED: "Signed documents generated, checked and stored",
    EventType.SESSION_SEAL_RAISED: "The seal of a document proves more",
    EventType.SESSION_DOWNLOADED: "A copy handed out for the first time",
    EventType.SESSION_VALUES_READ: "What was entered read by a program for the first time",
    EventType.SESSION_DECLINED: "Session ended because a recipient declined",
    EventType.SESSION_EXPIRED: "Session expired",
    EventType.SESSION_ARCHIVED: "Session archived",
    EventType.SESSION_RESTORED: "Session restored",
}
_ACTORS = {
    ActorKind.CLIENT: "By API client",
    ActorKind.RECIPIENT: "By recipient",
    ActorKind.USER: "By user",
    ActorKind.SYSTEM: "By the service,",
}


class EventDescription(NamedTuple):
    """An event as a title and the lines below it."""

    title: str
    lines: tuple[str, ...]


def describe_event(event: Event, names: Mapping[str, str]) -> EventDescription:
    """Describes `event`. `names` are those of the recipients, by identifier."""
    name = names.get(str(event.details.get("recipientId")))
    title = _TITLES.get(event.type, event.type.value)
    return EventDescription(f"{title} · {name}" if name else title, tuple(_lines(event)))


def _lines(event: Event) -> Iterator[str]:
    who = f"{_ACTORS[event.actor.kind]} {event.actor.id}"
    yield f"{event.type.value} · {who}" + (f", from {event.ip}" if event.ip else "")
    if event.user_agent:
        yield f"With {event.user_agent}"
    yield from (f"{member} {event.details[member]}" for member in sorted(event.details) if member != "recipientId")
