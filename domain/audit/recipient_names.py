"""The names that recipients had at the time of each event, as corrections and delegations change names."""

from collections.abc import Mapping, Sequence

from domain.audit.events import Event, EventType


def names_at_events(events: Sequence[Event], names: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """Returns for each event of a history the names of the recipients by id. `names` are the present ones."""
    found: list[Mapping[str, str]] = []
    for event in reversed(events):
        if event.type in (EventType.RECIPIENT_CORRECTED, EventType.RECIPIENT_DELEGATED):
            names = {**names, str(event.details["recipientId"]): str(event.details["previousName"])}
        found.append(names)
    return tuple(reversed(found))
