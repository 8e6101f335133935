"""Assembles the FastAPI application: routes, middleware, exception handlers."""

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import Route

from adapters.telemetry.metrics import HttpMetrics
from adapters.telemetry.traces import Tracing
from api import oauth
from api.body_limits import BodyLimit
from api.health import metrics
from api.health import readiness as health
from api.health.metrics import MetricsConfig, MetricsMiddleware, observer_of
from api.mcp.endpoint import PATH, AssistantTools
from api.openapi import description, reference
from api.v1 import (
    batches,
    callbacks,
    documents,
    downloads,
    session_actions,
    sessions,
    signing_urls,
    templates,
    uploads,
)
from application.services import Services
from application.tokens.access_tokens import AccessTokens
from domain.shared.version import VERSION
from web import all_routers as pages
from web import payload_codec as codec
from web.asgi import error_handlers
from web.asgi.conditional_reads import ConditionalReads
from web.asgi.middleware import HeadRequests, RequestLog, RequestSpans, ResponseHeaders, TrailingSlashes
from web.errors import error_page

ROUTERS = (
    oauth.router,
    sessions.router,
    session_actions.router,
    session_actions.reminder_router,
    signing_urls.router,
    downloads.router,
    callbacks.router,
    uploads.router,
    templates.router,
    batches.router,
    documents.router,
    downloads.pre_signed_router,
    health.router,
    metrics.router,
    codec.router,
    reference.router,
    *pages.ROUTERS,
)

ROUTES = [route for router in ROUTERS for route in router.routes]
"""The routes of every application, in one list: FastAPI would match those of included routers twice."""


def create_app(services: Services, metering: MetricsConfig | None = None, tracing: Tracing | None = None) -> FastAPI:
    """Returns the application of `services`, which the caller closes.

    `metering` configures the metrics and the networks that may read them; none may by default. `tracing` records spans.
    """
    metering = metering or MetricsConfig()
    app = FastAPI(
        title="Undersign",
        version=VERSION,
        # A redirect would lose the body of a POST with many clients; `TrailingSlashes` responds instead.
        redirect_slashes=False,
        # `api.openapi.reference` serves the description, generated in a thread. FastAPI's pages load foreign scripts.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(TrailingSlashes),
            Middleware(MetricsMiddleware, HttpMetrics(metering.registry)),
            Middleware(ResponseHeaders, is_https=services.base_url.startswith("https:")),
            *([Middleware(RequestSpans, tracing.tracer)] if tracing else []),
            Middleware(RequestLog),
            Middleware(BodyLimit),
            Middleware(HeadRequests),
            Middleware(ConditionalReads),
        ],
    )
    app.state.services = services
    app.state.metering = metering
    app.state.observe_dependencies = observer_of(services.readiness, metering.registry)
    app.state.error_page = error_page
    app.state.tokens = AccessTokens(services.access_keys, services.base_url)
    app.openapi = lambda: description.describe(app)  # type: ignore[method-assign]  # FastAPI documents this
    error_handlers.install(app)
    app.router.routes += [*ROUTES, Route(PATH, AssistantTools(app), methods=["POST"], name="mcp")]
    return app
