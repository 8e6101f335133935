"""Describes the events of a session on its certificate of completion."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from application.translations import current_language
from application.translations import gettext as _
from application.translations.localised_formats import isolate_against
from domain.audit.events import ActorKind, Event, EventType, names_at_events
from domain.session.recipients import Delivery
from domain.texts.languages import direction_of, marked
from layout.reports.report import Entry, TextRole

_RIGHT_TO_LEFT_MARK = "\u200f"

_TITLES = {
    EventType.SESSION_CREATED: marked("Session created"),
    EventType.SESSION_EDITED: marked("Draft changed"),
    EventType.SESSION_SENT: marked("Session sent"),
    EventType.RECIPIENT_INVITED: marked("Invited"),
    EventType.RECIPIENT_INVITATION_FAILED: marked("Invitation refused by the mail server"),
    EventType.RECIPIENT_REMINDED: marked("Reminded"),
    EventType.RECIPIENT_CORRECTED: marked("Name or email address corrected"),
    EventType.RECIPIENT_DELEGATED: marked("Passed on to another person"),
    EventType.RECIPIENT_VIEWED: marked("Documents opened"),
    EventType.RECIPIENT_CONSENTED: marked("Consent to sign electronically given"),
    EventType.RECIPIENT_COMPLETED: marked("Signed"),
    EventType.RECIPIENT_APPROVED: marked("Approved"),
    EventType.RECIPIENT_DECLINED: marked("Declined to sign"),
    EventType.SESSION_COMPLETED: marked("All have signed"),
    EventType.SESSION_DOCUMENTS_GENERATED: marked("Signed documents generated, checked and stored"),
    EventType.SESSION_SEAL_RAISED: marked("The seal of a document raised to a higher level"),
    EventType.SESSION_DOWNLOADED: marked("A copy downloaded for the first time"),
    EventType.SESSION_VALUES_READ: marked("Entered values read for the first time"),
    EventType.SESSION_RESCHEDULED: marked("Expiry or reminders changed"),
    EventType.SESSION_DECLINED: marked("Session ended because a recipient declined"),
    EventType.SESSION_EXPIRED: marked("Session expired"),
    EventType.SESSION_ARCHIVED: marked("Session archived"),
    EventType.SESSION_RESTORED: marked("Session restored"),
}
OPENED_WITHOUT_EMAIL = marked("Access opened, without an email")
"""The title of an invitation to a recipient who gets no emails."""

_ACTORS = {
    ActorKind.CLIENT: marked("By API client {id}"),
    ActorKind.RECIPIENT: marked("By recipient {id}"),
    ActorKind.USER: marked("By user {id}"),
    ActorKind.SYSTEM: marked("By the service, {id}"),
}


class EventDescription(NamedTuple):
    """The title of an event, and the lines below it."""

    title: str
    lines: tuple[str, ...]


def describe_event(event: Event, names: Mapping[str, str]) -> EventDescription:
    """Describes an event. `names` are the names of the recipients by id."""
    name = names.get(str(event.details.get("recipientId")))
    title = _(_TITLES[event.type]) if event.type in _TITLES else event.type.value
    if event.type is EventType.RECIPIENT_INVITED and event.details.get("delivery") == Delivery.NONE:
        title = _(OPENED_WITHOUT_EMAIL)
    return EventDescription(f"{title} · {name}" if name else title, tuple(_lines(event)))


def _lines(event: Event) -> Iterator[str]:
    actor = _(_ACTORS[event.actor.kind]).format(id=_value(event.actor.id))
    origin = _(", from {ip}").format(ip=_value(event.ip)) if event.ip else ""
    yield f"{_start()}{_value(event.type.value)} · {actor}{origin}"
    if event.user_agent:
        yield _("With {browser}").format(browser=_value(event.user_agent))
    for member in sorted(event.details):
        if member != "recipientId":
            yield f"{_start()}{_value(member)} {_value(event.details[member])}"


def _start() -> str:
    """Returns a mark that sets the direction of a line that begins with a word of another script (UAX 9, 2.6)."""
    return _RIGHT_TO_LEFT_MARK if direction_of(current_language()) == "rtl" else ""


def _value(value: object) -> str:
    return isolate_against(str(value), current_language())


def event_rows(events: Sequence[Event], names: Mapping[str, str]) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    """Yields a row of the history for each event: number, time and description. `names` are by recipient id."""
    for event, known in zip(events, names_at_events(events, names), strict=True):
        description = describe_event(event, known)
        lines = (*description.lines, _("Hash {hash}").format(hash=event.hash))
        yield (
            (Entry(str(event.sequence), TextRole.MUTED),),
            (Entry(str(event.facts()["at"]).replace("T", " ").removesuffix("Z")),),
            (Entry(description.title, TextRole.STRONG), *(Entry(line, TextRole.FINE) for line in lines)),
        )


def describe_lost_events(numbers: Sequence[int]) -> str:
    """Returns the sentence about events that a restore has lost. `numbers` ascend."""
    runs = [[number for _place, number in run] for _offset, run in groupby(enumerate(numbers), lambda p: p[1] - p[0])]
    ranges = (f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return _(
        "These events are missing, because the service was restored from a backup that lacked them, as its operator "
        "recorded: {numbers}. All other events are checked."
    ).format(numbers=", ".join(ranges))
