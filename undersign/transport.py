"""What the two clients do alike: a request for a call, the meaning of its outcome, and whether a wait is over."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, NamedTuple, TypeVar

import httpx
from pydantic import ValidationError

from domain.session.state import SessionStatus
from schemas.session_read import SessionRead
from undersign.errors import ApiError, ClientError, NeverGenerated, NoResponse
from undersign.operations import Operation
from undersign.retry import Outcome, error_of
from undersign.tokens import Token

T = TypeVar("T")
TIMEOUT = 30.0
"""Seconds for one try."""

USER_AGENT = f"undersign-python/{version('undersign')}"
_ENDED = frozenset({SessionStatus.DECLINED, SessionStatus.EXPIRED, SessionStatus.CANCELLED})
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


class Access(NamedTuple):
    """Where the service is, and who calls it."""

    base_url: str
    client_id: str
    client_secret: str


def request_of(call: Operation[Any], access: Access, token: Token | None) -> httpx.Request:
    """The request for one try of `call`."""
    url = call.path if "://" in call.path else access.base_url.rstrip("/") + call.path
    request = httpx.Request(
        call.method,
        url,
        params=dict(call.query) or None,
        content=call.body,
        headers={"User-Agent": USER_AGENT, "Accept": "*/*", **call.headers},
    )
    if token is not None:
        request.headers["Authorization"] = f"Bearer {token.text}"
    elif call.operation == "createToken":
        request = next(httpx.BasicAuth(access.client_id, access.client_secret).auth_flow(request))
    return request


def read(call: Operation[T], outcome: Outcome) -> T:
    """What the service answered; raises `ApiError` or `NoResponse`."""
    if isinstance(outcome, httpx.HTTPError):
        raise NoResponse(f"{call.operation} got no answer ({outcome!r}); does the service run?") from outcome
    if not outcome.is_success:
        raise ApiError(outcome.status_code, dict(error_of(outcome)), outcome.headers.get("x-request-id"))
    try:
        return call.read(outcome)
    except ValidationError as error:
        raise ClientError(f"{call.operation} was answered with something that this client does not know") from error


def pauses() -> Iterator[float]:
    """Seconds between looks at a session: short at first, then longer and longer."""
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(1.5 * pause, _LONGEST_PAUSE)


def is_generated(session: SessionRead, *, may_wait: bool) -> bool:
    """Whether the documents of `session` are there; raises `NeverGenerated` when waiting leads nowhere."""
    if session.status is SessionStatus.COMPLETED_AND_GENERATED:
        return True
    if session.status in _ENDED or not may_wait:
        raise NeverGenerated(f"The session “{session.name}” is {session.status.value}: {session.waiting_for}")
    return False
