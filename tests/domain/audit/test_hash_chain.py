"""A chain of events is verified from its JSON, and every change shows (Specification 6.1)."""

import hashlib
import json
from copy import deepcopy
from typing import Any

import pytest

from domain.audit.events import Event, EventType
from domain.audit.hash_chain import (
    FIRST_PREVIOUS_HASH,
    ChainBreak,
    ChainError,
    chain_is_intact,
    event_hash,
    find_break,
    head_of,
    make_event,
)
from tests.builders import audit

TYPES = (EventType.SESSION_CREATED, EventType.SESSION_SENT, EventType.RECIPIENT_INVITED, EventType.RECIPIENT_VIEWED)


def history() -> list[dict[str, Any]]:
    events: list[Event] = []
    follows = (0, FIRST_PREVIOUS_HASH)
    for kind in TYPES:
        event = make_event(kind, audit(), {"recipientId": "Ä"}, follows)
        follows = (event.sequence, event.hash)
        events.append(event)
    return [{**event.facts(), "hash": event.hash} for event in events]


def test_an_unchanged_chain_is_intact_and_so_is_an_empty_one() -> None:
    assert find_break(history()) is None
    assert head_of(history()) == history()[-1]["hash"]
    assert find_break([]) is None
    assert head_of([]) == FIRST_PREVIOUS_HASH


def test_the_hash_is_that_of_the_canonical_json_of_the_other_members() -> None:
    event = make_event(TYPES[0], audit(), {"recipientId": "A"}, (0, FIRST_PREVIOUS_HASH))
    assert event.previous_hash == FIRST_PREVIOUS_HASH
    # for ASCII strings and small integers, sorted keys without white space are canonical JSON
    canonical = json.dumps(event.facts(), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert event.hash == hashlib.sha256(canonical).hexdigest()


def test_events_are_verified_as_their_json_is() -> None:
    event = make_event(TYPES[0], audit(), {}, (0, FIRST_PREVIOUS_HASH))
    assert chain_is_intact([event])
    assert chain_is_intact([])
    for change in ({"ip": "203.0.113.9"}, {"hash": "0" * 64}, {"sequence": 9}, {"previous_hash": "1" * 64}):
        assert not chain_is_intact([event.model_copy(update=change)])


@pytest.mark.parametrize("place", range(len(TYPES)))
@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("at", "2026-06-12T12:00:00.001Z"),
        ("type", "session.declined"),
        ("ip", None),
        ("userAgent", "another"),
        ("actor", {"kind": "system", "id": "undersign"}),
        ("details", {}),
        ("sequence", 9),
        ("previousHash", "1" * 64),
        ("hash", "1" * 64),
        ("added", "another"),
    ],
)
def test_a_change_of_any_member_of_any_event_shows(place: int, member: str, value: object) -> None:
    events = history()
    events[place][member] = value
    assert find_break(events) == ChainBreak(place + 1, ChainError.CHANGED)


@pytest.mark.parametrize("place", range(len(TYPES)))
def test_a_change_with_its_hash_computed_again_shows_at_the_next_event_or_in_the_head(place: int) -> None:
    events = history()
    head = head_of(events)
    changed = Event.model_validate(
        {**{_snake(name): value for name, value in events[place].items()}, "ip": "198.51.100.1"}
    )
    events[place] = {**changed.facts(), "hash": event_hash(changed.facts())}
    if place + 1 < len(events):
        assert find_break(events) == ChainBreak(place + 2, ChainError.NOT_NEXT)
    else:
        assert find_break(events) is None
        assert head_of(events) != head


def test_missing_and_reordered_events_show() -> None:
    events = history()
    assert find_break(events[1:]) == ChainBreak(1, ChainError.NOT_NEXT)
    assert find_break(events[:1] + events[2:]) == ChainBreak(2, ChainError.NOT_NEXT)
    assert find_break([events[1], events[0], *events[2:]]) == ChainBreak(1, ChainError.NOT_NEXT)


def test_only_events_that_are_known_to_be_lost_may_be_missing() -> None:
    events = history()
    assert find_break(events[2:], {1, 2}) is None
    assert find_break(events[:1] + events[2:], {2}) is None
    assert find_break(events[2:], {2}) == ChainBreak(1, ChainError.NOT_NEXT)
    assert find_break([events[1], events[0], *events[2:]], {1}) == ChainBreak(2, ChainError.NOT_NEXT)
    assert find_break([{**events[1], "hash": "0" * 64}, *events[2:]], {1}) == ChainBreak(1, ChainError.CHANGED)


@pytest.mark.parametrize("odd", [{}, "text", None, 7, {"hash": 1}, {"hash": "", "sequence": 2**60, "previousHash": ""}])
def test_a_value_that_is_not_an_event_shows(odd: Any) -> None:
    events: list[Any] = deepcopy(history())
    events[2] = odd
    assert find_break(events) == ChainBreak(3, ChainError.NO_EVENT)


def _snake(name: str) -> str:
    return {"userAgent": "user_agent", "previousHash": "previous_hash"}.get(name, name)
