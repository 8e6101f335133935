"""Chains events by their hashes, and verifies a chain from its JSON alone (Specification 6.1).

Each event's `hash` is the SHA-256 of the canonical JSON (RFC 8785) of its other members, `previousHash` included.
"""

from collections.abc import Mapping, Sequence, Set
from enum import Enum, auto
from typing import Any, NamedTuple

import rfc8785

from domain.audit.events import AuditContext, Details, Event, EventType
from domain.shared.object_names import digest
from domain.shared.times import to_milliseconds

FIRST_PREVIOUS_HASH = "0" * 64
"""The previous hash of the first event of a session."""


class ChainError(Enum):
    """The error of one event in a chain."""

    CHANGED = auto()  # its hash does not match its content
    NOT_NEXT = auto()  # events before it are missing, added or reordered
    NO_EVENT = auto()  # it is not an event


class ChainBreak(NamedTuple):
    """The first error of a chain. `place` is the position of the event, from 1."""

    place: int
    fault: ChainError


def event_hash(facts: Mapping[str, Any]) -> str:
    """Returns the hash of an event; `facts` are its other members. Raises the exceptions of `rfc8785.dumps`."""
    return digest(rfc8785.dumps(facts))


def find_break(events: Sequence[Mapping[str, Any]], lost: Set[int] = frozenset()) -> ChainBreak | None:
    """Returns the first error of the chain; None if it is intact. `events` begin with the first of the session.

    The events of the numbers in `lost` may be missing.
    """
    previous, number = FIRST_PREVIOUS_HASH, 1
    for place, event in enumerate(events, start=1):
        try:
            stated, facts = event["hash"], {name: value for name, value in event.items() if name != "hash"}
            is_next = facts["sequence"] == number and facts["previousHash"] == previous
            if not is_next and facts["sequence"] > number:
                is_next = all(missing in lost for missing in range(number, facts["sequence"]))
            number = facts["sequence"] + 1
            computed = event_hash(facts)
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
            return ChainBreak(place, ChainError.NO_EVENT)
        if stated != computed:
            return ChainBreak(place, ChainError.CHANGED)
        if not is_next:
            return ChainBreak(place, ChainError.NOT_NEXT)
        previous = stated
    return None


def head_of(events: Sequence[Mapping[str, Any]]) -> str:
    """Returns the hash of the last event; `FIRST_PREVIOUS_HASH` if there is none."""
    return str(events[-1].get("hash")) if events else FIRST_PREVIOUS_HASH


def make_event(type: EventType, audit: AuditContext, details: Details, follows: tuple[int, str]) -> Event:
    """Returns a new event. `follows` holds the sequence and hash of the event before it.

    If `audit` has a program, the details of the event name it.
    """
    sequence, previous_hash = follows
    if audit.program is not None:
        details = {**details, "program": audit.program}
    event = Event(
        sequence=sequence + 1,
        at=to_milliseconds(audit.at),
        type=type,
        actor=audit.actor,
        ip=audit.ip,
        user_agent=audit.user_agent,
        details=details,
        previous_hash=previous_hash,
        hash="",
    )
    return event.model_copy(update={"hash": event_hash(event.facts())})


def chain_is_intact(events: Sequence[Event], lost: Set[int] = frozenset()) -> bool:
    """Returns whether `find_break` finds no error in the events of a session."""
    return find_break([{**event.facts(), "hash": event.hash} for event in events], lost) is None
