"""Extensions of uvicorn: a limit on the size of request heads, and reading of request bodies to their end."""

import asyncio

from httptools import HttpParserError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.asgi.json_body import announced_length
from web.asgi.slow_connections import ImpatientHttp

MAX_HEAD = 65_536
"""Maximum bytes of the request line and the header fields, and of the chunk headers and trailers of a chunked body."""


class BoundedHttp(ImpatientHttp):
    """Answers 400 to a request whose head is larger than `MAX_HEAD`, and closes the connection.

    httptools itself buffers heads of any size.
    """

    _unfinished = 0
    """Bytes received since the last complete head or part of a body."""

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def _unsupported_upgrade_warning(self) -> None:
        """Logs nothing: anyone may ask for a WebSocket, and gets the response to a plain request."""

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD:
            raise HttpParserError("The head of the request is too large.")
        self._unfinished = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unfinished = 0
        super().on_message_complete()


MAX_DRAINED = 64_000_000
"""Maximum bytes of one body that are discarded."""

MAX_DRAIN_SECONDS = 30.0
"""Maximum seconds for which a body is discarded. Then the connection is closed."""

SMALL = 64_000
"""Maximum bytes of an unread body with which the connection stays open."""


class BodyDrain:
    """Reads the rest of a body after the response, so that a client that is still writing can read the response.

    A server that closes a connection with unread bytes resets it, and the client loses the response, such as 413.
    Responses are sent at once, and end when the body is read. The connection is closed after a large body that was not
    read when the response started.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        is_chunked, announced = "transfer-encoding" in headers, announced_length(headers)
        if not (is_chunked or announced):
            await self._app(scope, receive, send)
            return
        body = _Body(receive)

        async def send_and_drain(message: Message) -> None:
            if message["type"] == "http.response.start" and not body.is_read and (is_chunked or announced > SMALL):
                message = {**message, "headers": list(message.get("headers", ()))}
                MutableHeaders(scope=message)["Connection"] = "close"
            is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_last and not body.is_read:
                await send({**message, "more_body": True})
                await body.discard()
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await self._app(scope, body.receive, send_and_drain)


class _Body:
    """The body of one request. `is_read`: all of it was read."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_read = False

    async def receive(self) -> Message:
        message = await self._receive()
        self.is_read = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        """Reads the rest, within the limits."""
        left = MAX_DRAINED
        try:
            async with asyncio.timeout(MAX_DRAIN_SECONDS):
                while not self.is_read and left > 0:
                    left -= len((await self.receive()).get("body", b""))
        except TimeoutError:
            return
