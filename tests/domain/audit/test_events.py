"""The chain of hashes finds every kind of tampering."""

import hashlib
import json
from datetime import UTC, datetime

import pytest

from domain.audit.events import Event, chain_is_intact
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH
from domain.shared.ids import RecipientId
from tests.builders import audit, created, identifier, recipient, submission


def history() -> list[Event]:
    step = created(recipient("ada"))
    events = list(step.events)
    step = step.session.send(audit())
    events += step.events
    return events + list(step.session.sign(RecipientId(identifier("ada")), submission(), audit()).events)


def test_an_untouched_history_is_intact() -> None:
    assert chain_is_intact(history())
    assert chain_is_intact([])


@pytest.mark.parametrize(
    "change",
    [
        {"ip": "203.0.113.9"},
        {"at": datetime(2026, 6, 12, 12, 0, 1, tzinfo=UTC)},
        {"details": {"recipientId": "somebody else"}},
        {"hash": "0" * 64},
        {"previous_hash": "1" * 64},
        {"sequence": 9},
    ],
)
def test_a_changed_event_breaks_the_chain(change: dict[str, object]) -> None:
    events = history()
    events[2] = events[2].model_copy(update=change)
    assert not chain_is_intact(events)


def test_a_missing_or_moved_event_breaks_the_chain() -> None:
    events = history()
    assert not chain_is_intact(events[1:])
    assert not chain_is_intact(events[:1] + events[2:])
    assert not chain_is_intact([events[1], events[0], *events[2:]])


def test_the_hash_is_what_anybody_computes_from_the_facts() -> None:
    event = history()[0]
    assert event.previous_hash == FIRST_PREVIOUS_HASH
    # For ASCII strings and small integers, sorted keys without white space are canonical JSON.
    canonical = json.dumps(event.facts(), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert event.hash == hashlib.sha256(canonical).hexdigest()
