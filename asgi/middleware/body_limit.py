"""How many bytes a body may have, by the path that it is sent to.

A body is refused when it is read, and it is read after the checks of access: 401, 403 and 404 come first. Starlette has
a middleware for this, which would answer 413 before them.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.errors import BodyTooLarge, FileTooLarge
from application.oauth.client_credentials import MAX_TOKEN_REQUEST
from application.uploads.images import store as images
from application.uploads.pdf import store as files
from asgi.json_body import announced_length
from asgi.uploads import with_envelope
from web.errors import FormTooLarge
from web.verify.page import MAX_UPLOAD

MAX_BODY = 2_000_000
"""Bytes of a request with block documents."""

MAX_MESSAGE = 3_000_000
"""Bytes of a message to the assistant tools (an image of 2 MB in base64), and of Temporal's payloads (2 MB)."""

MAX_FORM = 4_000_000
"""Bytes of the form of a signing page: long texts, a drawn signature and drawn initials on a hundred pages fit."""

MAX_OTHER = 64_000
"""Bytes of every other body."""


class Bound(NamedTuple):
    """So many bytes, and the error for more."""

    size: int
    error: Callable[[], Exception]


def _body(size: int) -> Bound:
    return Bound(size, lambda: BodyTooLarge(size))


_BOUNDS: tuple[tuple[re.Pattern[str], Bound], ...] = tuple(
    (re.compile(path), bound)
    for path, bound in (
        ("/api/v1/(Session|SessionFromTemplate|Template|Document/Preview)", _body(MAX_BODY)),
        ("/api/v1/Image", Bound(with_envelope(images.MAX_UPLOAD), FileTooLarge)),
        ("/api/v1/File", Bound(with_envelope(files.MAX_UPLOAD), FileTooLarge)),
        ("/mcp", _body(MAX_MESSAGE)),
        ("/oidc/.*", _body(MAX_TOKEN_REQUEST)),
        ("/codec/(de|en)code", _body(MAX_MESSAGE)),
        ("/verify", Bound(MAX_UPLOAD, FileTooLarge)),
        ("/signing/[^/]+(/draft)?", Bound(MAX_FORM, FormTooLarge)),
        ("/(sign|signing|app|codec)(/.*)?", Bound(MAX_OTHER, FormTooLarge)),
    )
)
"""The first that matches counts."""


def bound_of(path: str) -> Bound:
    """The bound of a body that is sent to `path`."""
    return next((bound for pattern, bound in _BOUNDS if pattern.fullmatch(path)), _body(MAX_OTHER))


class BodyLimit:
    """Refuses a body that announces too many bytes unread, and stops reading one that turns out to have too many."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bound = bound_of(scope["path"])
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
