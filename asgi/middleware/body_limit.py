"""How many bytes a body may have, by the path that it is sent to.

A body is refused when it is read, and it is read after the checks of access: 401, 403 and 404 come first. Starlette has
a middleware for this, which would answer 413 before them.
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
    """So many bytes, and the error for more."""

    size: int
    error: Callable[[], Exception]


class BodyLimit:
    """Refuses a body that announces too many bytes unread, and stops reading one that turns out to have too many."""

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
