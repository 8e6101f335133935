"""Logs one line per request, and answers unexpected errors with 500.

The line names the route, never the path: paths hold the tokens of signing links and downloads.
"""

from time import perf_counter

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from asgi.error_handlers import answer_status
from asgi.middleware.response_capture import NotedAnswer, route_of

log = structlog.get_logger(__name__)

POLLED_ROUTES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes that monitoring polls every few seconds: logged only if the response is an error."""


class RequestLog:
    """Logs requests, and unexpected errors with their request id."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, answer = perf_counter(), NotedAnswer(send)
        try:
            await self._app(scope, receive, answer)
        except Exception:
            log.exception("unexpected error", method=scope["method"], route=route_of(scope))
            if answer.status:
                raise  # the response has begun: the server must break it off, or it would look whole
            await answer_status(500)(scope, receive, answer)
        finally:
            if answer.status >= 400 or route_of(scope) not in POLLED_ROUTES:
                log.info(
                    "request",
                    method=scope["method"],
                    route=route_of(scope),
                    status=answer.status,
                    milliseconds=round((perf_counter() - began) * 1000, 1),
                )
