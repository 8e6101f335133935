"""The two clients: `Client` blocks, `AsyncClient` runs on asyncio. Both have one method for each operation."""

import asyncio
import logging
from collections.abc import Iterator
from itertools import count
from time import monotonic, sleep
from typing import Any, Generic, Self, TypeVar

import httpx
from pydantic import ValidationError

from undersign.auth import TokenAuth
from undersign.errors import ApiError, ClientError, NeverGenerated, NoResponse
from undersign.models import SessionRead, SessionStatus
from undersign.operation import Operation
from undersign.operations import Operations
from undersign.retry import Outcome, RetryPolicy, error_of

T = TypeVar("T")
H = TypeVar("H")

TIMEOUT = 30.0
"""Seconds for one attempt."""

VERSION = "0.1.0"
"""Version of the client, and of the service that it belongs to."""

USER_AGENT = f"undersign-python/{VERSION}"
_SHOWN = 200
"""Characters of a foreign answer in a message."""

log = logging.getLogger(__name__)

_ENDED = frozenset({SessionStatus.DECLINED, SessionStatus.EXPIRED, SessionStatus.CANCELLED})


class _Client(Operations, Generic[H]):
    """What both clients have. Every operation raises `ApiError` or `NoResponse` after its last attempt."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # it is frozen
        http: H | None = None,
    ) -> None:
        """`http` is your own `httpx` client, for proxies or certificates; `close` closes it too."""
        if not base_url.startswith(("https://", "http://")):
            raise ValueError(f"The address {base_url!r} has no scheme. Write it as https://sign.example.com.")
        self._base_url = base_url
        self._auth = TokenAuth(base_url, client_id, client_secret)
        self._retry = retry
        self._http: H = http or self._open()

    def _open(self) -> H:
        raise NotImplementedError

    def _auth_of(self, operation: Operation[Any]) -> TokenAuth | None:
        return self._auth if operation.needs_token else None

    def _pause(self, operation: Operation[Any], attempts: int, began: float, outcome: Outcome) -> float | None:
        """Returns the seconds to wait before the next attempt, which it logs; None if `outcome` is final."""
        pause = self._retry.pause(operation, attempts, monotonic() - began, outcome)
        if pause is not None:
            found = outcome.status_code if isinstance(outcome, httpx.Response) else repr(outcome)
            log.warning("%s at %s: %s; trying again in %.1f s", operation.name, self._base_url, found, pause)
        return pause


class Client(_Client[httpx.Client]):
    """A client of an Undersign service. It requests and renews its access token itself.

    Operations that fail temporarily are retried according to `retry`. Operations that create or send have an
    `Idempotency-Key`, so repeated attempts take effect once.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> httpx.Client:
        return httpx.Client(timeout=TIMEOUT)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def call(self, operation: Operation[T]) -> T:
        """Returns the result of `operation`."""
        began = monotonic()
        for attempts in count(1):
            outcome = self._send(operation)
            pause = self._pause(operation, attempts, began, outcome)
            if pause is None:
                break
            sleep(pause)
        return _read(operation, outcome)

    def wait_until_generated(self, session_id: str, *, seconds: float = 300.0) -> SessionRead:
        """Returns the session once all recipients have signed and its documents are ready.

        Raises:
            NeverGenerated: the session was declined, expired or archived, or `seconds` have passed.
        """
        began = monotonic()
        for pause in _pauses():
            session = self.get_session(session_id)
            if _is_generated(session, may_wait=monotonic() - began < seconds):
                break
            sleep(pause)
        return session

    def _send(self, operation: Operation[Any]) -> Outcome:
        try:
            return self._http.send(request_of(operation, self._base_url), auth=self._auth_of(operation))
        except httpx.HTTPError as error:
            return error


class AsyncClient(_Client[httpx.AsyncClient]):
    """The client for asyncio: the methods of `Client`, to be awaited."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _open(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=TIMEOUT)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def call(self, operation: Operation[T]) -> T:
        """Returns the result of `operation`."""
        began = monotonic()
        for attempts in count(1):
            outcome = await self._send(operation)
            pause = self._pause(operation, attempts, began, outcome)
            if pause is None:
                break
            await asyncio.sleep(pause)
        return _read(operation, outcome)

    async def wait_until_generated(self, session_id: str, *, seconds: float = 300.0) -> SessionRead:
        """Returns the session once its documents are ready; raises `NeverGenerated`, as `Client` does."""
        began = monotonic()
        for pause in _pauses():
            session = await self.get_session(session_id)
            if _is_generated(session, may_wait=monotonic() - began < seconds):
                break
            await asyncio.sleep(pause)
        return session

    async def _send(self, operation: Operation[Any]) -> Outcome:
        try:
            return await self._http.send(request_of(operation, self._base_url), auth=self._auth_of(operation))
        except httpx.HTTPError as error:
            return error


def request_of(operation: Operation[Any], base_url: str) -> httpx.Request:
    """Returns the request for one attempt at `operation`, without its access token."""
    return httpx.Request(
        operation.method,
        operation.path if "://" in operation.path else base_url.rstrip("/") + operation.path,
        params=dict(operation.query) or None,
        content=operation.body,
        headers={"User-Agent": USER_AGENT, "Accept": "*/*", **operation.headers},
    )


def _read(operation: Operation[T], outcome: Outcome) -> T:
    """Returns the result of `operation`; raises `ApiError` or `NoResponse`."""
    if isinstance(outcome, httpx.HTTPError):
        raise NoResponse(
            f"{operation.name} got no response ({outcome!r}). Check that the service is running."
        ) from outcome
    if not outcome.is_success:
        body = dict(error_of(outcome)) or {"message": _foreign(outcome)}
        raise ApiError(outcome.status_code, body, outcome.headers.get("x-request-id"))
    try:
        return operation.read(outcome)
    except ValidationError as error:
        raise ClientError(
            f"{operation.name} returned a response that this version of the client cannot read"
        ) from error


def _foreign(answer: httpx.Response) -> str:
    """Returns a message about an error response that another program wrote, such as a proxy."""
    if answer.has_redirect_location:
        target = answer.url.join(answer.headers["location"])
        return f"The service redirects to {target.scheme}://{target.netloc.decode()}. Give the client that address."
    return f"{answer.reason_phrase}, from another program than the service: {answer.text[:_SHOWN]}"


def _pauses() -> Iterator[float]:
    """Yields the seconds between two reads of a session, from 0.1 growing to 5."""
    pause = 0.1
    while True:
        yield pause
        pause = min(1.5 * pause, 5.0)


def _is_generated(session: SessionRead, *, may_wait: bool) -> bool:
    """Returns whether the signed documents are ready; raises `NeverGenerated` if they will not be in time."""
    if session.status is SessionStatus.COMPLETED_AND_GENERATED:
        return True
    if session.status in _ENDED or not may_wait:
        raise NeverGenerated(f"The session “{session.name}” is {session.status.value}: {session.waiting_for}")
    return False
