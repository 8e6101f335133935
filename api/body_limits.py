"""Limits the bytes of a body by the path that it is sent to, and refuses compressed bodies.

The limit applies when the body is read, after the checks of access: 401, 403 and 404 come first. Starlette's own
middleware would answer 413 before them.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from application.appearance_form import MAX_LOGO
from application.batches.read_batch import MAX_BATCH
from application.errors import BodyTooLarge, FileTooLarge, UnsupportedMediaType
from application.oauth.client_tokens import MAX_TOKEN_REQUEST
from domain.shared.limits import MAX_IMAGE, MAX_PDF
from web.asgi.json_body import announced_length
from web.asgi.middleware import HttpMiddleware
from web.asgi.uploads import with_envelope
from web.errors import FormTooLarge
from web.verify_page import MAX_UPLOAD

MAX_BODY = 2_000_000
"""Maximum bytes of a request with block documents."""

MAX_MESSAGE = 3_000_000
"""Maximum bytes of a message to the assistant tools (an image of 2 MB in base64), and of Temporal's payloads (2 MB)."""

MAX_FORM = 4_000_000
"""Maximum bytes of a form. The form of a signing page with long texts, a drawn signature and drawn initials on a
hundred pages fits. So do forms of the app with the JSON of block documents, which percent-encoding makes twice as
long."""

MAX_PHOTOGRAPH = 12_000_000
"""Maximum bytes of a picture of a signature on paper, as phones take them."""

_PLAIN = "identity"

MAX_OTHER = 64_000
"""Maximum bytes of every other body."""


class SizeLimit(NamedTuple):
    """A limit in bytes, and the error for larger bodies."""

    size: int
    error: Callable[[], Exception]


def _body(size: int) -> SizeLimit:
    return SizeLimit(size, lambda: BodyTooLarge(size))


_LIMITS: tuple[tuple[re.Pattern[str], SizeLimit], ...] = tuple(
    (re.compile(path), limit)
    for path, limit in (
        ("/api/v1/(Session|SessionFromTemplate|Template|Document/Preview)", _body(MAX_BODY)),
        ("/api/v1/SessionFromTemplate/Batch", _body(MAX_BATCH)),
        ("/api/v1/Template/[^/]+/NextVersion", _body(MAX_BODY)),
        ("/api/v1/Image", SizeLimit(with_envelope(MAX_IMAGE), FileTooLarge)),
        ("/api/v1/File", SizeLimit(with_envelope(MAX_PDF), FileTooLarge)),
        ("/mcp", _body(MAX_MESSAGE)),
        ("/oidc/.*", _body(MAX_TOKEN_REQUEST)),
        ("/codec/(de|en)code", _body(MAX_MESSAGE)),
        ("/verify", SizeLimit(MAX_UPLOAD, FileTooLarge)),
        ("/app/organisation/appearance/logo", SizeLimit(with_envelope(MAX_LOGO), FormTooLarge)),
        ("/signing/[^/]+/ink", SizeLimit(MAX_PHOTOGRAPH, FormTooLarge)),
        ("/signing/[^/]+(/draft)?", SizeLimit(MAX_FORM, FormTooLarge)),
        ("/app/batches/(new|preview)/[^/]+", SizeLimit(MAX_FORM, FormTooLarge)),
        ("/app/(new/.*|templates/(new|preview|[^/]+/edit))", SizeLimit(MAX_FORM, FormTooLarge)),
        ("/(sign|signing|app|codec)(/.*)?", SizeLimit(MAX_OTHER, FormTooLarge)),
        ("(?s:.*)", _body(MAX_OTHER)),
    )
)


def limit_of(path: str) -> SizeLimit:
    """Returns the first limit whose pattern matches `path`."""
    return next(limit for pattern, limit in _LIMITS if pattern.fullmatch(path))


class BodyLimit(HttpMiddleware):
    """Raises the error of the limit when a body announces, or has, more bytes; 415 for one with a content coding."""

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = limit_of(scope["path"])
        headers = Headers(scope=scope)
        read, announced = 0, announced_length(headers)
        encoding = headers.get("content-encoding", _PLAIN).strip().lower()

        async def receive_limited() -> Message:
            nonlocal read
            if encoding != _PLAIN:
                raise UnsupportedMediaType(f"Send the body as it is, without Content-Encoding “{encoding[:40]}”.")
            if announced > limit.size:
                raise limit.error()
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit.size:
                raise limit.error()
            return message

        await self.app(scope, receive_limited, send)
