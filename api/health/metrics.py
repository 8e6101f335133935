"""`/metrics`: what the API counts and times, for programs on the operator's network (Specification 4.22)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address
from time import perf_counter

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.telemetry.metrics import HttpMetrics, new_registry
from adapters.telemetry.metrics_server import CONTENT_TYPE, exposition
from asgi.middleware import StatusRecorder, route_of

router = APIRouter(include_in_schema=False)

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NO_ROUTE = "unknown"


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """Where the figures of this process are, who may read them, and what reads those of Temporal's SDK."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    others: Callable[[], str] = str
    registry: CollectorRegistry = field(default_factory=new_registry)

    def admits(self, request: Request) -> bool:
        """Whether whoever asks is on one of the networks, and is not a proxy that asks for somebody unknown."""
        if request.client is None or comes_through_proxy(request):
            return False
        try:
            address = ip_address(request.client.host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


def comes_through_proxy(request: Request) -> bool:
    """Whether a proxy passes the request on for somebody."""
    return "x-forwarded-for" in request.headers or "forwarded" in request.headers


class MetricsMiddleware:
    """Counts requests, by route and status."""

    def __init__(self, app: ASGIApp, figures: HttpMetrics) -> None:
        self._app = app
        self._figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, answer = perf_counter(), StatusRecorder(send)
        self._figures.in_flight.inc()
        try:
            await self._app(scope, receive, answer)
        finally:
            self._figures.in_flight.dec()
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = route_of(scope) or _NO_ROUTE
            self._figures.requests.labels(method, route, str(answer.status)).inc()
            self._figures.durations.labels(method, route).observe(perf_counter() - began)


@router.get("/metrics")
async def read_metrics(request: Request) -> Response:
    """For everybody else there is nothing here."""
    metering: MetricsConfig = request.app.state.metering
    if not metering.admits(request):
        raise HTTPException(404)
    # Waits for the SDK's own server, in another thread: the loop has other things to do.
    content = await asyncio.to_thread(exposition, metering.registry, metering.others)
    return Response(content, media_type=CONTENT_TYPE)
