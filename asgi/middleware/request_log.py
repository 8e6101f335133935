"""One log line a request, and the last resort for errors that nobody foresaw.

The line names the route, never the path: paths hold the tokens of signing links and downloads.
"""

from time import perf_counter

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from asgi.error_handlers import answer_status
from asgi.middleware.response_capture import NotedAnswer, route_of

log = structlog.get_logger(__name__)

ASKED_FOR_EVER = frozenset({"/healthz", "/readyz", "/metrics"})
"""What machines ask every few seconds: told only if the answer is a bad one."""


class RequestLog:
    """Logs requests; answers 500 in the one error shape and logs why, so that the request id finds it."""

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
            if answer.status >= 400 or route_of(scope) not in ASKED_FOR_EVER:
                log.info(
                    "request",
                    method=scope["method"],
                    route=route_of(scope),
                    status=answer.status,
                    milliseconds=round((perf_counter() - began) * 1000, 1),
                )
