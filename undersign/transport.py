"""From an operation to an HTTP request, and from the outcome to a result or an error."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from domain.session.snapshot import SessionStatus
from schemas.session_read import SessionRead
from undersign.errors import ApiError, ClientError, NeverGenerated, NoResponse
from undersign.operations import Operation
from undersign.retry import Outcome, error_of

T = TypeVar("T")
TIMEOUT = 30.0
"""Seconds for one attempt."""

USER_AGENT = f"undersign-python/{version('undersign')}"
_ENDED = frozenset({SessionStatus.DECLINED, SessionStatus.EXPIRED, SessionStatus.CANCELLED})
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


def request_of(operation: Operation[Any], base_url: str) -> httpx.Request:
    """Returns the request for one attempt at `operation`, without its access token."""
    return httpx.Request(
        operation.method,
        operation.path if "://" in operation.path else base_url.rstrip("/") + operation.path,
        params=dict(operation.query) or None,
        content=operation.body,
        headers={"User-Agent": USER_AGENT, "Accept": "*/*", **operation.headers},
    )


def read(operation: Operation[T], outcome: Outcome) -> T:
    """Returns the result of `operation`; raises `ApiError` or `NoResponse`."""
    if isinstance(outcome, httpx.HTTPError):
        raise NoResponse(
            f"{operation.name} got no response ({outcome!r}). Check that the service is running."
        ) from outcome
    if not outcome.is_success:
        raise ApiError(outcome.status_code, dict(error_of(outcome)), outcome.headers.get("x-request-id"))
    try:
        return operation.read(outcome)
    except ValidationError as error:
        raise ClientError(
            f"{operation.name} returned a response that this version of the client cannot read"
        ) from error


def pauses() -> Iterator[float]:
    """Yields the seconds between two reads of a session, from 0.1 growing to 5."""
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(1.5 * pause, _LONGEST_PAUSE)


def is_generated(session: SessionRead, *, may_wait: bool) -> bool:
    """Whether the signed documents of `session` are ready; raises `NeverGenerated` if they will not be in time."""
    if session.status is SessionStatus.COMPLETED_AND_GENERATED:
        return True
    if session.status in _ENDED or not may_wait:
        raise NeverGenerated(f"The session “{session.name}” is {session.status.value}: {session.waiting_for}")
    return False
