"""Checking a chain of events from its JSON alone, as somebody does who has no database of ours (Specification 6.1).

Each event's `hash` is the SHA-256 of the canonical JSON (RFC 8785) of its other members, `previousHash` among them.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

import rfc8785

from domain.audit.events import FIRST_PREVIOUS_HASH
from domain.shared.object_names import digest


class ChainError(Enum):
    """What is wrong with an event."""

    CHANGED = auto()  # its hash is not that of what it says
    NOT_NEXT = auto()  # events are missing before it, were added, or stand in another order
    NO_EVENT = auto()  # it is no event at all


class ChainBreak(NamedTuple):
    """Where a chain breaks first: the place, counted from 1, and how."""

    place: int
    fault: ChainError


def find_break(events: Sequence[Mapping[str, Any]]) -> ChainBreak | None:
    """Where the chain of `events`, from the first on, is broken; None when it is intact."""
    previous = FIRST_PREVIOUS_HASH
    for place, event in enumerate(events, start=1):
        try:
            told, facts = event["hash"], {name: value for name, value in event.items() if name != "hash"}
            is_next = facts["sequence"] == place and facts["previousHash"] == previous
            found = digest(rfc8785.dumps(facts))
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
            return ChainBreak(place, ChainError.NO_EVENT)
        if told != found:
            return ChainBreak(place, ChainError.CHANGED)
        if not is_next:
            return ChainBreak(place, ChainError.NOT_NEXT)
        previous = told
    return None


def head_of(events: Sequence[Mapping[str, Any]]) -> str:
    """The hash of the last event."""
    return str(events[-1].get("hash")) if events else FIRST_PREVIOUS_HASH
