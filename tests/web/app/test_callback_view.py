"""The state of a callback in the delivery log."""

from datetime import timedelta
from typing import Any

import pytest

from domain.callbacks.callback import CallbackStatus
from domain.callbacks.retries_and_pauses import Attempt, CallbackLogEntry
from domain.shared.ids import EventId
from tests.builders import NOON, identifier
from web.app.callback_view import view_callback

FAILED = Attempt(at=NOON, status_code=500, error="answered 500", duration_ms=44)


def entry(**members: Any) -> CallbackLogEntry:
    standard: dict[str, Any] = {
        "event_id": EventId(identifier("event")),
        "type": "session.sent",
        "receiver": "https://hooks.example.com:443",
        "status": CallbackStatus.PENDING,
        "attempts": (),
        "next_attempt_at": NOON,
        "paused_since": None,
    }
    return CallbackLogEntry(**{**standard, **members})


@pytest.mark.parametrize(
    ("members", "shown"),
    [
        ({}, ("Pending", "busy", "not attempted yet", "next within a minute")),
        (
            {"attempts": (FAILED,) * 6, "next_attempt_at": NOON + timedelta(minutes=32, seconds=3)},
            ("Retrying", "todo", "6 failed attempts", "next in 33 min"),
        ),
        (
            {"attempts": (FAILED,), "next_attempt_at": NOON + timedelta(hours=5)},
            ("Retrying", "todo", "1 failed attempt", "next in 5 h"),
        ),
        (
            {"attempts": (FAILED,), "next_attempt_at": NOON + timedelta(days=3)},
            ("Retrying", "todo", "1 failed attempt", "next in 3 days"),
        ),
        ({"attempts": (FAILED,), "paused_since": NOON}, ("On hold", "still", "1 failed attempt", "")),
        ({"status": CallbackStatus.FAILED, "attempts": (FAILED,)}, ("Failed", "bad", "1 attempt", "")),
        ({"status": CallbackStatus.DELIVERED, "attempts": (FAILED,) * 2}, ("Delivered", "good", "2 attempts", "")),
    ],
)
def test_a_failing_callback_does_not_look_fine(members: dict[str, Any], shown: tuple[str, ...]) -> None:
    view = view_callback(entry(**members), NOON)
    assert (view.state, view.css_class, view.attempts, view.next_attempt) == shown
