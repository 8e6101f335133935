"""When a call is tried again, and after how long. Pure: it neither sends nor sleeps."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from undersign.operations import Operation

Outcome = httpx.Response | httpx.HTTPError
"""An answer, or why there is none."""

_FIRST, _LONGEST = 0.25, 8.0
_BUSY = frozenset({429, 503})
_LOST = frozenset({502, 504})
_IN_PROGRESS = "IDEMPOTENCY_IN_PROGRESS"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """For how many `seconds` a call is tried, from its first try; 90 outlast a minute's rate limit."""

    seconds: float = 90.0

    def pause(self, call: Operation[Any], tries: int, spent: float, outcome: Outcome) -> float | None:
        """Seconds to wait before the next try; None: this outcome stands."""
        wanted = _wanted(call, outcome)
        if wanted is None:
            return None
        pause = max(wanted, random.uniform(0.5, 1.0) * min(_FIRST * 2 ** (tries - 1), _LONGEST))  # noqa: S311  # jitter
        return pause if spent + pause <= self.seconds else None


def _wanted(call: Operation[Any], outcome: Outcome) -> float | None:
    """The least pause before another try; None when there must be none."""
    if isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout):
        return 0.0  # nothing was sent
    if isinstance(outcome, httpx.HTTPError):
        return 0.0 if call.is_repeatable and isinstance(outcome, httpx.TransportError) else None
    if outcome.status_code in _BUSY or (outcome.status_code == 409 and error_of(outcome).get("error") == _IN_PROGRESS):
        return _retry_after(outcome)
    return _retry_after(outcome) if outcome.status_code in _LOST and call.is_repeatable else None


def _retry_after(answer: httpx.Response) -> float:
    """What `Retry-After` asks for, as seconds or as a date (RFC 9110 section 10.2.3)."""
    text = answer.headers.get("retry-after", "")
    if text.isdecimal():
        return float(text)
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(answer.headers["date"])
    except (KeyError, ValueError):
        return 0.0
    return max((until - now).total_seconds(), 0.0)


def error_of(answer: httpx.Response) -> Mapping[str, Any]:
    """The body of an error, as far as it is one of the service's."""
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
