"""ASGI middleware, which `api.app` puts in order. Request bodies are limited in `api.body_limits`."""

import re
from time import perf_counter
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.caller import is_head_request
from web.asgi.error_handlers import answer_status
from web.asgi.rate_limits import rate_limit_headers

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

log = structlog.get_logger(__name__)

REQUEST_ID = "X-Request-Id"
_USABLE_ID = re.compile(r"""[^<>&"'`\\\x00-\x1f\x7f-\U0010ffff]{1,128}""")
"""Printable ASCII without the characters that mean something in markup or shells: logs are read in both."""

_PRIVATE = ("/api/", "/mcp", "/oidc/token")
_NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
_ONE_YEAR = "max-age=31536000"

POLLED_ROUTES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes that monitoring polls every few seconds: logged only if the response is an error."""


class HttpMiddleware:
    """Base of the middleware. Subclasses define `respond`, which gets the HTTP requests only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.respond if scope["type"] == "http" else self.app)(scope, receive, send)

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError


class TrailingSlashes(HttpMiddleware):
    """Gives an address with a slash at its end the response of the address without it. No path ends with a slash."""

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["path"] = scope["path"].removesuffix("/") or "/"
        await self.app(scope, receive, send)


class StatusRecorder:
    """Passes a response on to `send`, and stores its status; 0 until the response has started."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def route_of(scope: Scope) -> str | None:
    """Returns the path template of the matched route; None if no route matched."""
    return getattr(scope.get("route"), "path", None)


class ResponseHeaders(HttpMiddleware):
    """Adds the headers that do not depend on the route.

    `X-Request-Id` is the caller's id or a new one; every log line of the request has it too (Specification 10.3).
    Responses of the API, the tools and the token endpoint have `Cache-Control: no-store`, unless they set it, and a
    policy for browsers that show them as a page. No response is sniffed for another type. Counted requests have rate
    limit headers. With `is_https`, responses have `Strict-Transport-Security`.
    """

    def __init__(self, app: ASGIApp, *, is_https: bool) -> None:
        super().__init__(app)
        self._is_https = is_https

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = given if _USABLE_ID.fullmatch(given) else str(uuid4())

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID] = request_id
                headers.update(rate_limit_headers(scope))
                headers.setdefault("X-Content-Type-Options", "nosniff")
                if scope["path"].startswith(_PRIVATE):
                    headers.setdefault("Cache-Control", "no-store")
                    headers.setdefault("Content-Security-Policy", _NO_PAGE)
                if self._is_https:
                    headers["Strict-Transport-Security"] = _ONE_YEAR
            await send(message)

        structlog.contextvars.clear_contextvars()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self.app(scope, receive, send_with_headers)


class RequestSpans(HttpMiddleware):
    """Records one span per request, named by its route, in the trace of the caller's `traceparent`.

    OpenTelemetry's own instrumentation of FastAPI records URLs, which hold the tokens of signing links.
    """

    def __init__(self, app: ASGIApp, tracer: "Tracer") -> None:
        # Imported here, so that a process without tracing does not load OpenTelemetry.
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

        super().__init__(app)
        self._tracer = tracer
        self._extract = TraceContextTextMapPropagator().extract
        self._kind, self._error = SpanKind.SERVER, StatusCode.ERROR

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        parent, response = self._extract(dict(Headers(scope=scope))), StatusRecorder(send)
        with self._tracer.start_as_current_span(scope["method"], parent, kind=self._kind) as span:
            span.set_attribute("http.request.method", scope["method"])
            try:
                await self.app(scope, receive, response)
            finally:
                if response.status:
                    span.set_attribute("http.response.status_code", response.status)
                if response.status >= 500:
                    span.set_status(self._error)
                route = route_of(scope)
                if route is not None:
                    span.update_name(f"{scope['method']} {route}")
                    span.set_attribute("http.route", route)


class RequestLog(HttpMiddleware):
    """Logs one line per request, and answers unexpected errors with 500.

    The line names the route, never the path: paths hold the tokens of signing links and downloads.
    """

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, response = perf_counter(), StatusRecorder(send)
        try:
            await self.app(scope, receive, response)
        except Exception:
            log.exception("unexpected error", method=scope["method"], route=route_of(scope))
            if response.status:
                raise  # the response has started: the server must abort it, or it would look complete
            await answer_status(scope, 500)(scope, receive, response)
        finally:
            if response.status >= 400 or route_of(scope) not in POLLED_ROUTES:
                log.info(
                    "request",
                    method=scope["method"],
                    route=route_of(scope),
                    status=response.status,
                    milliseconds=round((perf_counter() - start) * 1000, 1),
                )


class HeadRequests(HttpMiddleware):
    """Passes HEAD on as GET, and drops the body of the response. Use cases read `is_head_request`."""

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        token = is_head_request.set(True)
        try:
            await self.app({**scope, "method": "GET"}, receive, send_head)
        finally:
            is_head_request.reset(token)
