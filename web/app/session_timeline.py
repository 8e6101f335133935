"""The timeline of a session's page: each event of its history as a sentence.

The sentences are in `web/texts/app.toml`. `application.certificate_events` describes events on the certificate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from application.services import Services
from domain.audit.events import Actor, ActorKind, Details, Event, EventType, names_at_events
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from web.app.current_user import SignedInUser
from web.texts import APP


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event as a sentence. `quote` is the reason that its actor gave; empty if there is none."""

    at: datetime
    text: str
    quote: str
    css_class: str


_EVENT_CLASSES = {
    EventType.RECIPIENT_COMPLETED: "good",
    EventType.RECIPIENT_APPROVED: "good",
    EventType.SESSION_COMPLETED: "good",
    EventType.SESSION_DOCUMENTS_GENERATED: "good",
    EventType.RECIPIENT_DECLINED: "bad",
    EventType.SESSION_DECLINED: "bad",
    EventType.SESSION_EXPIRED: "bad",
    EventType.RECIPIENT_INVITATION_FAILED: "bad",
}


async def read_timeline(services: Services, person: SignedInUser, session: Session) -> tuple[TimelineEntry, ...]:
    """Returns the whole history of the session, newest first."""
    events = await services.rows.events(session.organisation_id, session.session_id)
    return tuple(_entries(events, session, await _names(services, person, events)))[::-1]


async def _names(services: Services, person: SignedInUser, events: Sequence[Event]) -> Mapping[str, str]:
    """Returns the names of the users and API clients in `events`, by id."""
    kinds = {event.actor.kind for event in events}
    names: dict[str, str] = {}
    if ActorKind.USER in kinds:
        names |= {user.user_id: user.name for user in await services.users.list(person.organisation_id)}
    if ActorKind.CLIENT in kinds:
        clients = await services.organisations.list_clients(person.organisation_id)
        names |= {client.client_id: APP.the_program.format(name=client.name) for client in clients}
    return names


def _entries(events: Sequence[Event], session: Session, names: Mapping[str, str]) -> Iterator[TimelineEntry]:
    present: dict[str, str] = {who.recipient_id: who.name or who.email for who in session.recipients}
    approvers = {who.recipient_id for who in session.recipients if who.approves}
    for event, people in zip(events, names_at_events(events, present), strict=True):
        details = event.details
        recipient = people.get(str(details.get("recipientId")), APP.somebody)
        sentence = APP.table("events")[event.type]
        if details.get("recipientId") in approvers:
            sentence = APP.table("approver_events").get(event.type, sentence)
        if event.type is EventType.RECIPIENT_INVITED and event.actor.kind is not ActorKind.SYSTEM:
            sentence = APP.invited_again
        if event.type is EventType.RECIPIENT_REMINDED and event.actor.kind is not ActorKind.SYSTEM:
            sentence = APP.reminded_now
        if event.type is EventType.RECIPIENT_CORRECTED:
            sentence = APP.table("corrections")[_corrected(details)]
        if event.type is EventType.SESSION_ARCHIVED and details.get("previousStatus") in OPEN_FOR_SIGNING:
            sentence = APP.withdrew
        values = {**details, "who": _name(event.actor, {**names, **people}), "recipient": recipient}
        text = sentence.format(**values)
        quote = str(details.get("reason") or "")
        yield TimelineEntry(event.at, text, quote, _EVENT_CLASSES.get(event.type, ""))


def _corrected(details: Details) -> str:
    """Returns the key of the sentence about the corrected members, in the table `corrections`."""
    return "_and_".join(m for m in ("name", "email") if details[m] != details[f"previous{m.capitalize()}"])


def _name(actor: Actor, names: Mapping[str, str]) -> str:
    if actor.kind is ActorKind.SYSTEM:
        return APP.the_service
    fallback = APP.a_client if actor.kind is ActorKind.CLIENT else APP.somebody
    return names.get(actor.id, fallback)
