"""No body is larger than 8 MB, whatever it says of itself; uploads have limits of their own (`api.uploads`).

It is refused when it is read, which is not before its sender may send it: 401, 403 and 404 come first.

Starlette has such a middleware, but it answers in plain text, without our error shape and request id.
"""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.bodies import announced_length

MAX_BODY = 8_000_000
"""Bytes."""

UPLOADS = frozenset({"/api/v1/Image", "/api/v1/File", "/verify"})
"""Where bodies are bounded by what they are: a PDF of 7 MB in base64 has 10 MB."""


class BodyLimit:
    """Answers 413 to a body that announces too much, unread, and breaks off one that turns out to be too much."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UPLOADS:
            await self._app(scope, receive, send)
            return
        read, announced = 0, announced_length(Headers(scope=scope))

        async def receive_limited() -> Message:
            nonlocal read
            if announced > self._limit:
                raise HTTPException(413)
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._limit:
                # Of this class, because FastAPI turns any other error while a form is read into a 400.
                raise HTTPException(413)
            return message

        await self._app(scope, receive_limited, send)
