"""Pages for browsers where no route answers: unknown addresses, wrong methods, unexpected errors."""

from http import HTTPStatus

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.types import Scope
from structlog.contextvars import get_contextvars

from web.html_response import render
from web.reader_language import add_headers, reading
from web.security_headers import SECURITY_HEADERS
from web.texts import PAGES

_FOR_PROGRAMS = ("/api/", "/mcp", "/oidc/", "/.well-known/", "/objects/", "/healthz", "/readyz", "/metrics")
"""Paths whose errors are JSON regardless of `Accept`."""


def error_page(scope: Scope, status: int) -> Response | None:
    """Returns the page for `status`; None where the request does not ask for HTML, or a program is expected.

    The page of an unexpected error shows the request id, which finds it in the log.
    """
    if scope["path"].startswith(_FOR_PROGRAMS) or "text/html" not in Headers(scope=scope).get("accept", ""):
        return None
    is_ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    with reading(Request(scope)):
        response = render(
            "error.html",
            status,
            error=PAGES.table("failed" if is_ours else "not_found"),
            facts={},
            at=None,
            quote=None,
            way_out="/",
            request_id=get_contextvars().get("request_id") if is_ours else None,
        )
        add_headers(response)
    response.headers.update(SECURITY_HEADERS)
    return response
