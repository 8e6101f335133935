"""A callback in the delivery log: its state, and the results of its attempts."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from domain.callbacks.callback import CallbackStatus
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from web.texts import APP

_MINUTES_SHOWN, _HOURS_SHOWN = 120, 48
"""Longer times are shown in the next larger unit."""


@dataclass(frozen=True, slots=True)
class CallbackView:
    entry: CallbackLogEntry
    state: str
    css_class: str
    attempts: str
    next_attempt: str


def view_callback(entry: CallbackLogEntry, at: datetime) -> CallbackView:
    """Returns the view of `entry` at `at`. A callback whose attempts failed is amber until one succeeds."""
    is_pending, tried = entry.status is CallbackStatus.PENDING, len(entry.attempts)
    is_held = is_pending and entry.paused_since is not None
    if is_held:
        state, css_class = APP.webhook_held, "still"
    elif is_pending and tried:
        state, css_class = APP.webhook_retrying, "todo"
    else:
        state, css_class = APP.table("webhook_states")[entry.status], _CLASSES[entry.status]
    if not tried:
        attempts = APP.no_attempt
    else:
        attempts = APP.count("failed_attempts", tried) if is_pending else APP.count("attempts", tried)
    following = _next(entry.next_attempt_at - at) if is_pending and not is_held and entry.next_attempt_at else ""
    return CallbackView(entry, state, css_class, attempts, following)


_CLASSES = {CallbackStatus.PENDING: "busy", CallbackStatus.DELIVERED: "good", CallbackStatus.FAILED: "bad"}


def _next(left: timedelta) -> str:
    minutes = ceil(left.total_seconds() / 60)
    if minutes <= 1:
        return APP.next_soon
    if minutes <= _MINUTES_SHOWN:
        return APP.count("next_in_minutes", minutes)
    hours = round(minutes / 60)
    return APP.count("next_in_hours", hours) if hours <= _HOURS_SHOWN else APP.count("next_in_days", round(hours / 24))
