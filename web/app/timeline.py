"""The history of a session in plain text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from application.services import Services
from domain.audit.events import Actor, ActorKind, Event, EventType
from domain.session.session import Session
from web.app.current_user import SignedInUser
from web.app.history_texts import HistoryTexts


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event: what happened, with the text that somebody added to it. `css_class` is a name in the style sheet."""

    at: datetime
    text: str
    quote: str
    css_class: str


_EVENT_CLASSES = {
    EventType.RECIPIENT_COMPLETED: "good",
    EventType.SESSION_COMPLETED: "good",
    EventType.SESSION_DOCUMENTS_GENERATED: "good",
    EventType.RECIPIENT_DECLINED: "bad",
    EventType.SESSION_DECLINED: "bad",
    EventType.SESSION_EXPIRED: "bad",
    EventType.RECIPIENT_INVITATION_FAILED: "bad",
}


async def read_timeline(
    services: Services, person: SignedInUser, session: Session, texts: HistoryTexts
) -> tuple[TimelineEntry, ...]:
    """The whole history, newest first."""
    events = await services.rows.events(session.organisation_id, session.session_id)
    return tuple(_entries(events, session, texts, await _names(services, person, events)))[::-1]


async def _names(services: Services, person: SignedInUser, events: Sequence[Event]) -> Mapping[str, str]:
    """The names of people and programs that did something, by their identifiers."""
    kinds = {event.actor.kind for event in events}
    names: dict[str, str] = {}
    if ActorKind.USER in kinds:
        names |= {user.user_id: user.name for user in await services.users.list(person.organisation_id)}
    if ActorKind.CLIENT in kinds:
        clients = await services.organisations.list_clients(person.organisation_id)
        names |= {client.client_id: client.name for client in clients}
    return names


def _entries(
    events: Sequence[Event], session: Session, texts: HistoryTexts, names: Mapping[str, str]
) -> Iterator[TimelineEntry]:
    people: dict[str, str] = {who.recipient_id: who.name or who.email for who in session.recipients}
    for event in events:
        details = event.details
        recipient = people.get(str(details.get("recipientId")), texts.somebody)
        sentence = texts.happened[event.type]
        if event.type is EventType.RECIPIENT_INVITED and event.actor.kind is not ActorKind.SYSTEM:
            sentence = texts.invited_again
        text = sentence.format(who=_name(event.actor, {**names, **people}, texts), recipient=recipient)
        quote = str(details.get("reason") or "")
        yield TimelineEntry(event.at, text, quote, _EVENT_CLASSES.get(event.type, ""))


def _name(actor: Actor, names: Mapping[str, str], texts: HistoryTexts) -> str:
    if actor.kind is ActorKind.SYSTEM:
        return texts.the_service
    fallback = texts.a_program if actor.kind is ActorKind.CLIENT else texts.somebody
    return names.get(actor.id, fallback)
