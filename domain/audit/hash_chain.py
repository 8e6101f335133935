"""Verifies a chain of events from its JSON alone (Specification 6.1).

Each event's `hash` is the SHA-256 of the canonical JSON (RFC 8785) of its other members, `previousHash` included.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

import rfc8785

from domain.shared.object_names import digest

FIRST_PREVIOUS_HASH = "0" * 64
"""The previous hash of the first event of a session."""


class ChainError(Enum):
    """The error of an event."""

    CHANGED = auto()  # its hash does not match its content
    NOT_NEXT = auto()  # events before it are missing, added or reordered
    NO_EVENT = auto()  # it is not an event


class ChainBreak(NamedTuple):
    """The first error of a chain. `place` is counted from 1."""

    place: int
    fault: ChainError


def event_hash(facts: Mapping[str, Any]) -> str:
    """Returns the hash of the event with the members `facts`, which lack `hash`. Raises as `rfc8785.dumps` does."""
    return digest(rfc8785.dumps(facts))


def find_break(events: Sequence[Mapping[str, Any]]) -> ChainBreak | None:
    """Returns the first error of the chain of `events`, from the first on; None if it is intact."""
    previous = FIRST_PREVIOUS_HASH
    for place, event in enumerate(events, start=1):
        try:
            told, facts = event["hash"], {name: value for name, value in event.items() if name != "hash"}
            is_next = facts["sequence"] == place and facts["previousHash"] == previous
            found = event_hash(facts)
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
            return ChainBreak(place, ChainError.NO_EVENT)
        if told != found:
            return ChainBreak(place, ChainError.CHANGED)
        if not is_next:
            return ChainBreak(place, ChainError.NOT_NEXT)
        previous = told
    return None


def head_of(events: Sequence[Mapping[str, Any]]) -> str:
    """Returns the hash of the last event."""
    return str(events[-1].get("hash")) if events else FIRST_PREVIOUS_HASH
