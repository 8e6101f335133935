"""The policy that decides whether and when an operation is retried. It neither sends nor sleeps."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from undersign.operation import Operation

Outcome = httpx.Response | httpx.HTTPError
"""A response, or the reason why there is none."""

_FIRST, _MAX_PAUSE = 0.25, 8.0
_BUSY = frozenset({429, 503})
_LOST = frozenset({502, 504})
_IN_PROGRESS = "IDEMPOTENCY_IN_PROGRESS"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Retries an operation for up to `seconds` after its first attempt; 90 s outlast a rate limit of a minute."""

    seconds: float = 90.0

    def pause(self, operation: Operation[Any], attempts: int, spent: float, outcome: Outcome) -> float | None:
        """Returns the seconds to wait before the next attempt; None if `outcome` is final."""
        least = _least_pause(operation, outcome)
        if least is None:
            return None
        pause = max(least, random.uniform(0.5, 1.0) * min(_FIRST * 2 ** (attempts - 1), _MAX_PAUSE))  # noqa: S311  # jitter
        return pause if spent + pause <= self.seconds else None


def _least_pause(operation: Operation[Any], outcome: Outcome) -> float | None:
    """Returns the shortest pause before another attempt; None if there must be none."""
    if isinstance(outcome, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
        return None  # a mistake of the caller
    if isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout):
        return 0.0  # nothing was sent
    if isinstance(outcome, httpx.HTTPError):
        return 0.0 if operation.is_repeatable and isinstance(outcome, httpx.TransportError) else None
    if outcome.status_code in _BUSY or (outcome.status_code == 409 and error_of(outcome).get("error") == _IN_PROGRESS):
        return _retry_after(outcome)
    return _retry_after(outcome) if outcome.status_code in _LOST and operation.is_repeatable else None


def _retry_after(answer: httpx.Response) -> float:
    """Reads `Retry-After` in seconds, given as a number or as a date (RFC 9110 section 10.2.3)."""
    text = answer.headers.get("retry-after", "")
    if text.isdecimal():
        return float(text)
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(answer.headers["date"])
    except (KeyError, ValueError):
        return 0.0
    return max((until - now).total_seconds(), 0.0)


def error_of(answer: httpx.Response) -> Mapping[str, Any]:
    """Returns the JSON body of an error; empty if the service did not write it."""
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
