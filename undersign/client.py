"""The two clients: `Client` blocks, `AsyncClient` runs on asyncio. Both have one method for each operation."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from itertools import count
from time import monotonic, sleep
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

import httpx

from schemas.session_read import SessionRead
from undersign import operations
from undersign.auth import TokenAuth
from undersign.operations import Operation
from undersign.retry import Outcome, RetryPolicy
from undersign.transport import TIMEOUT, is_generated, pauses, read, request_of

P = ParamSpec("P")
T = TypeVar("T")


class Method(Generic[P, T]):
    """A method that builds an operation and passes it to the client's `call`: awaitable in `AsyncClient`."""

    def __init__(self, make: Callable[P, Operation[T]]) -> None:
        self.make = make

    @overload
    def __get__(self, client: "Client", _: type["Client"]) -> Callable[P, T]: ...

    @overload
    def __get__(self, client: "AsyncClient", _: type["AsyncClient"]) -> Callable[P, Awaitable[T]]: ...

    def __get__(self, client: Any, _: object) -> Callable[P, Any]:
        @wraps(self.make)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401  # the overloads have the types
            return client.call(self.make(*args, **kwargs))

        return method


class _Operations:
    """The methods of both clients."""

    create_session = Method(operations.create_session)
    get_session = Method(operations.get_session)
    list_sessions = Method(operations.list_sessions)
    send_session = Method(operations.send_session)
    send_invitation = Method(operations.send_invitation)
    restore_session = Method(operations.restore_session)
    delete_session = Method(operations.delete_session)
    list_documents = Method(operations.list_documents)
    get_document = Method(operations.get_document)
    get_certificate = Method(operations.get_certificate)
    get_values = Method(operations.get_values)
    list_events = Method(operations.list_events)
    list_callbacks = Method(operations.list_callbacks)
    redeliver_callback = Method(operations.redeliver_callback)
    get_feed = Method(operations.get_feed)
    create_session_from_template = Method(operations.create_session_from_template)
    create_template = Method(operations.create_template)
    get_template = Method(operations.get_template)
    activate_template = Method(operations.activate_template)
    update_template = Method(operations.update_template)
    delete_template = Method(operations.delete_template)
    restore_template = Method(operations.restore_template)
    list_templates = Method(operations.list_templates)
    upload_image = Method(operations.upload_image)
    upload_file = Method(operations.upload_file)
    delete_image = Method(operations.delete_image)
    delete_file = Method(operations.delete_file)
    preview_document = Method(operations.preview_document)
    print_preview = Method(operations.print_preview)
    download = Method(operations.download)

    def __init__(self, base_url: str, client_id: str, client_secret: str, retry: RetryPolicy) -> None:
        self._base_url = base_url
        self._auth = TokenAuth(base_url, client_id, client_secret)
        self._retry = retry

    def _auth_of(self, operation: Operation[Any]) -> TokenAuth | None:
        return self._auth if operation.needs_token else None


class Client(_Operations):
    """A client of an Undersign service. It requests and renews its access token itself.

    Operations that fail temporarily are attempted again, as `retry` says. Operations that create or send carry an
    `Idempotency-Key`, so repeated attempts take effect once. Every operation raises `ApiError` or `NoResponse`.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # it is frozen
        http: httpx.Client | None = None,
    ) -> None:
        """`http` is your own `httpx` client, for proxies or certificates; `close` closes it too."""
        super().__init__(base_url, client_id, client_secret, retry)
        self._http = http or httpx.Client(timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def call(self, operation: Operation[T]) -> T:
        """Returns the result of `operation`; raises `ApiError` or `NoResponse` after the last attempt."""
        began = monotonic()
        for attempts in count(1):
            outcome = self._send(operation)
            pause = self._retry.pause(operation, attempts, monotonic() - began, outcome)
            if pause is None:
                break
            sleep(pause)
        return read(operation, outcome)

    def wait_until_generated(self, session_id: str, *, seconds: float = 300.0) -> SessionRead:
        """Returns the session once all recipients have signed and its documents are ready.

        Raises:
            NeverGenerated: it was declined, expired or archived, or the `seconds` are over.
        """
        began = monotonic()
        for pause in pauses():
            session = self.get_session(session_id)
            if is_generated(session, may_wait=monotonic() - began < seconds):
                break
            sleep(pause)
        return session

    def _send(self, operation: Operation[Any]) -> Outcome:
        try:
            return self._http.send(request_of(operation, self._base_url), auth=self._auth_of(operation))
        except httpx.HTTPError as error:
            return error


class AsyncClient(_Operations):
    """The client for asyncio: the methods of `Client`, to be awaited."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # it is frozen
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`http` is your own `httpx` client, for proxies or certificates; `close` closes it too."""
        super().__init__(base_url, client_id, client_secret, retry)
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def call(self, operation: Operation[T]) -> T:
        """Returns the result of `operation`; raises `ApiError` or `NoResponse` after the last attempt."""
        began = monotonic()
        for attempts in count(1):
            outcome = await self._send(operation)
            pause = self._retry.pause(operation, attempts, monotonic() - began, outcome)
            if pause is None:
                break
            await asyncio.sleep(pause)
        return read(operation, outcome)

    async def wait_until_generated(self, session_id: str, *, seconds: float = 300.0) -> SessionRead:
        """Returns the session once all recipients have signed and its documents are ready.

        Raises:
            NeverGenerated: it was declined, expired or archived, or the `seconds` are over.
        """
        began = monotonic()
        for pause in pauses():
            session = await self.get_session(session_id)
            if is_generated(session, may_wait=monotonic() - began < seconds):
                break
            await asyncio.sleep(pause)
        return session

    async def _send(self, operation: Operation[Any]) -> Outcome:
        try:
            return await self._http.send(request_of(operation, self._base_url), auth=self._auth_of(operation))
        except httpx.HTTPError as error:
            return error
