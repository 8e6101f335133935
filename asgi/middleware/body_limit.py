"""Limits the bytes of a body by its path.

The limit applies when the body is read, after the checks of access: 401, 403 and 404 come first. Starlette's own
middleware would answer 413 before them.
"""

from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from asgi.json_body import announced_length

MAX_BODY = 2_000_000
"""Bytes of a request with block documents."""

MAX_MESSAGE = 3_000_000
"""Bytes of a message to the assistant tools (an image of 2 MB in base64), and of Temporal's payloads (2 MB)."""

MAX_FORM = 4_000_000
"""Bytes of the form of a signing page: long texts, a drawn signature and drawn initials on a hundred pages fit."""

MAX_OTHER = 64_000
"""Bytes of every other body."""


class SizeLimit(NamedTuple):
    """A limit in bytes, and the error for larger bodies."""

    size: int
    error: Callable[[], Exception]


class BodyLimit:
    """Raises the error of the limit when a body announces, or has, more bytes."""

    def __init__(self, app: ASGIApp, bound_of: Callable[[str], SizeLimit]) -> None:
        self._app = app
        self._bound_of = bound_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bound = self._bound_of(scope["path"])
        read, announced = 0, announced_length(Headers(scope=scope))

        async def receive_limited() -> Message:
            nonlocal read
            if announced > bound.size:
                raise bound.error()
            message = await receive()
            read += len(message.get("body", b""))
            if read > bound.size:
                raise bound.error()
            return message

        await self._app(scope, receive_limited, send)
