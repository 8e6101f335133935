"""`/metrics`: counters and timers of the API, for the operator's network only (Specification 4.22)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address
from time import perf_counter

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.telemetry.metrics import HttpMetrics, new_dependency_gauge, new_registry
from adapters.telemetry.worker_server import CONTENT_TYPE, exposition
from application.checks import Readiness, SingleFlight
from web.asgi.middleware import StatusRecorder, route_of

router = APIRouter(include_in_schema=False)

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NO_ROUTE = "unknown"

_DEPENDENCIES_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """The metrics of this process, the networks that may read them, and a reader of those of Temporal's SDK."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    others: Callable[[], str] = str
    registry: CollectorRegistry = field(default_factory=new_registry)

    def admits(self, request: Request) -> bool:
        """Whether the client is on one of the networks and does not connect through a proxy."""
        if request.client is None or comes_through_proxy(request):
            return False
        try:
            address = ip_address(request.client.host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


def comes_through_proxy(request: Request) -> bool:
    """Whether a proxy forwarded the request."""
    return "x-forwarded-for" in request.headers or "forwarded" in request.headers


class MetricsMiddleware:
    """Counts requests, by route and status."""

    def __init__(self, app: ASGIApp, metrics: HttpMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, answer = perf_counter(), StatusRecorder(send)
        self._metrics.in_flight.inc()
        try:
            await self._app(scope, receive, answer)
        finally:
            self._metrics.in_flight.dec()
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = route_of(scope) or _NO_ROUTE
            self._metrics.requests.labels(method, route, str(answer.status)).inc()
            self._metrics.durations.labels(method, route).observe(perf_counter() - began)


def observer_of(readiness: Readiness, registry: CollectorRegistry) -> SingleFlight:
    """Returns a function that reads the results of `/readyz` into a gauge of `registry`."""
    gauge = new_dependency_gauge(registry)

    async def observe() -> None:
        for result in await readiness.results():
            gauge.labels(result.name).set(result.is_ready)

    return SingleFlight(observe)


@router.get("/metrics")
async def read_metrics(request: Request) -> Response:
    """Returns all metrics; 404 for clients of other networks."""
    metering: MetricsConfig = request.app.state.metering
    if not metering.admits(request):
        raise HTTPException(404)
    # A dependency that does not respond may take longer than a scrape; the next scrape shows the result.
    with suppress(TimeoutError):
        async with asyncio.timeout(_DEPENDENCIES_SECONDS):
            await request.app.state.observe_dependencies()
    # It waits for the SDK's own server, so it runs in another thread.
    content = await asyncio.to_thread(exposition, metering.registry, metering.others)
    return Response(content, media_type=CONTENT_TYPE)
