"""The client for programs that run on asyncio."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from time import monotonic
from typing import Generic, ParamSpec, Self, TypeVar

import httpx

from schemas.session_read import SessionRead
from undersign import operations
from undersign.operations import Operation
from undersign.retry import Outcome, RetryPolicy
from undersign.tokens import Token, ask_for_token
from undersign.transport import TIMEOUT, Access, is_generated, pauses, read, request_of

P = ParamSpec("P")
T = TypeVar("T")


class _Method(Generic[P, T]):
    """A method that makes a call, to be awaited."""

    def __init__(self, make: Callable[P, Operation[T]]) -> None:
        self.make = make

    def __get__(self, client: "AsyncClient", _: type["AsyncClient"]) -> Callable[P, Awaitable[T]]:
        @wraps(self.make)
        async def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return await client.call(self.make(*args, **kwargs))

        return method


class AsyncClient:
    """As `Client`, to be awaited: it gets an access token and renews it by itself.

    Calls that fail for a while are tried again, as long as `patience` lasts; what creates and sends carries an
    `Idempotency-Key`, so that no try does it twice. Every call raises `ApiError` or `NoResponse`.
    """

    create_session = _Method(operations.create_session)
    get_session = _Method(operations.get_session)
    list_sessions = _Method(operations.list_sessions)
    send_session = _Method(operations.send_session)
    send_invitation = _Method(operations.send_invitation)
    restore_session = _Method(operations.restore_session)
    delete_session = _Method(operations.delete_session)
    list_documents = _Method(operations.list_documents)
    get_document = _Method(operations.get_document)
    get_certificate = _Method(operations.get_certificate)
    get_values = _Method(operations.get_values)
    list_events = _Method(operations.list_events)
    list_callbacks = _Method(operations.list_callbacks)
    redeliver_callback = _Method(operations.redeliver_callback)
    get_feed = _Method(operations.get_feed)
    create_session_from_template = _Method(operations.create_session_from_template)
    create_template = _Method(operations.create_template)
    get_template = _Method(operations.get_template)
    activate_template = _Method(operations.activate_template)
    update_template = _Method(operations.update_template)
    delete_template = _Method(operations.delete_template)
    restore_template = _Method(operations.restore_template)
    list_templates = _Method(operations.list_templates)
    upload_image = _Method(operations.upload_image)
    upload_file = _Method(operations.upload_file)
    delete_image = _Method(operations.delete_image)
    delete_file = _Method(operations.delete_file)
    preview_document = _Method(operations.preview_document)
    print_preview = _Method(operations.print_preview)
    download = _Method(operations.download)

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # it is frozen
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`http` is a connection of your own, for proxies or certificates; it is closed with this one."""
        self._access = Access(base_url, client_id, client_secret)
        self._retry = retry
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)
        self._token: Token | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def call(self, call: Operation[T]) -> T:
        """Makes `call`, trying again while that may help; raises `ApiError` or `NoResponse`."""
        outcome = await self._try(call)
        if call.needs_token and isinstance(outcome, httpx.Response) and outcome.status_code == 401:
            self._token = None  # it ended early: a key was changed, or this clock is slow
            outcome = await self._try(call)
        return read(call, outcome)

    async def wait_until_generated(self, session_id: str, *, seconds: float = 300.0) -> SessionRead:
        """The session once all have signed and its documents are there.

        Raises:
            NeverGenerated: it was declined, has expired or was archived, or the `seconds` are over.
        """
        began = monotonic()
        for pause in pauses():
            session = await self.get_session(session_id)
            if is_generated(session, may_wait=monotonic() - began < seconds):
                break
            await asyncio.sleep(pause)
        return session

    async def _try(self, call: Operation[T]) -> Outcome:
        began, tries = monotonic(), 0
        while True:
            outcome = await self._send(call)
            tries += 1
            pause = self._retry.pause(call, tries, monotonic() - began, outcome)
            if pause is None:
                return outcome
            await asyncio.sleep(pause)

    async def _send(self, call: Operation[T]) -> Outcome:
        token = await self._fresh_token() if call.needs_token else None
        try:
            return await self._http.send(request_of(call, self._access, token))
        except httpx.HTTPError as error:
            return error

    async def _fresh_token(self) -> Token:
        if self._token is None or self._token.is_old():
            self._token = await self.call(ask_for_token())
        return self._token
