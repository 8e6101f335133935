"""One span per request, named by its route, in the trace of the caller's `traceparent`.

OpenTelemetry's own instrumentation of FastAPI records URLs, which hold the tokens of signing links.
"""

from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from asgi.middleware.response_capture import NotedAnswer, route_of

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer


class TracingMiddleware:
    """Records spans. Installed only where tracing is enabled."""

    def __init__(self, app: ASGIApp, tracer: "Tracer") -> None:
        # Imported here, so that a process without tracing does not load OpenTelemetry.
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

        self._app = app
        self._tracer = tracer
        self._extract = TraceContextTextMapPropagator().extract
        self._kind, self._failed = SpanKind.SERVER, StatusCode.ERROR

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        around = self._extract(dict(Headers(scope=scope)))
        answer = NotedAnswer(send)
        with self._tracer.start_as_current_span(scope["method"], around, kind=self._kind) as span:
            span.set_attribute("http.request.method", scope["method"])
            try:
                await self._app(scope, receive, answer)
            finally:
                if answer.status:
                    span.set_attribute("http.response.status_code", answer.status)
                if answer.status >= 500:
                    span.set_status(self._failed)
                route = route_of(scope)
                if route is not None:
                    span.update_name(f"{scope['method']} {route}")
                    span.set_attribute("http.route", route)
