"""How many bytes a body may have, by the path that it is sent to: the bounds of all routes and pages."""

import re

from application.errors import BodyTooLarge, FileTooLarge
from application.oauth.client_credentials import MAX_TOKEN_REQUEST
from application.uploads.store import MAX_IMAGE, MAX_PDF
from asgi.middleware.body_limit import MAX_BODY, MAX_FORM, MAX_MESSAGE, MAX_OTHER, SizeLimit
from asgi.uploads import with_envelope
from web.errors import FormTooLarge
from web.verify.page import MAX_UPLOAD


def _body(size: int) -> SizeLimit:
    return SizeLimit(size, lambda: BodyTooLarge(size))


_BOUNDS: tuple[tuple[re.Pattern[str], SizeLimit], ...] = tuple(
    (re.compile(path), bound)
    for path, bound in (
        ("/api/v1/(Session|SessionFromTemplate|Template|Document/Preview)", _body(MAX_BODY)),
        ("/api/v1/Image", SizeLimit(with_envelope(MAX_IMAGE), FileTooLarge)),
        ("/api/v1/File", SizeLimit(with_envelope(MAX_PDF), FileTooLarge)),
        ("/mcp", _body(MAX_MESSAGE)),
        ("/oidc/.*", _body(MAX_TOKEN_REQUEST)),
        ("/codec/(de|en)code", _body(MAX_MESSAGE)),
        ("/verify", SizeLimit(MAX_UPLOAD, FileTooLarge)),
        ("/signing/[^/]+(/draft)?", SizeLimit(MAX_FORM, FormTooLarge)),
        ("/(sign|signing|app|codec)(/.*)?", SizeLimit(MAX_OTHER, FormTooLarge)),
    )
)
"""The first that matches counts."""


def bound_of(path: str) -> SizeLimit:
    """The bound of a body that is sent to `path`."""
    return next((bound for pattern, bound in _BOUNDS if pattern.fullmatch(path)), _body(MAX_OTHER))
