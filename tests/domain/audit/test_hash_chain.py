"""A chain is checked from its JSON alone, and whatever is done to it shows (Specification 6.1)."""

from copy import deepcopy
from typing import Any

import pytest

from domain.audit.events import Event, EventType, make_event
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH, ChainBreak, ChainError, event_hash, find_break, head_of
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


def test_a_chain_as_it_was_made_is_intact() -> None:
    assert find_break(history()) is None
    assert head_of(history()) == history()[-1]["hash"]


def test_no_events_are_an_intact_chain() -> None:
    assert find_break([]) is None
    assert head_of([]) == FIRST_PREVIOUS_HASH


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
        ("added", "by a stranger"),
    ],
)
def test_a_change_of_any_member_of_any_event_shows(place: int, member: str, value: object) -> None:
    events = history()
    events[place][member] = value

    assert find_break(events) == ChainBreak(place + 1, ChainError.CHANGED)


@pytest.mark.parametrize("place", range(len(TYPES)))
def test_a_change_with_its_hash_made_anew_shows_at_the_next_event_or_in_the_head(place: int) -> None:
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


def test_an_event_that_is_taken_out_shows() -> None:
    events = history()

    assert find_break(events[1:]) == ChainBreak(1, ChainError.NOT_NEXT)
    assert find_break(events[:1] + events[2:]) == ChainBreak(2, ChainError.NOT_NEXT)


def test_events_in_another_order_show() -> None:
    events = history()

    assert find_break([events[1], events[0], *events[2:]]) == ChainBreak(1, ChainError.NOT_NEXT)


@pytest.mark.parametrize("odd", [{}, "text", None, 7, {"hash": 1}, {"hash": "", "sequence": 2**60, "previousHash": ""}])
def test_what_is_no_event_shows(odd: Any) -> None:
    events: list[Any] = deepcopy(history())
    events[2] = odd

    assert find_break(events) == ChainBreak(3, ChainError.NO_EVENT)


def _snake(name: str) -> str:
    return {"userAgent": "user_agent", "previousHash": "previous_hash"}.get(name, name)
