"""The application: routes, middleware and errors around the services it is given."""

from fastapi import APIRouter, FastAPI
from pydantic.alias_generators import to_camel
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from adapters.telemetry.metrics import HttpMetrics
from adapters.telemetry.traces import Tracing
from api.body_bounds import bound_of
from api.health import metrics
from api.health import readiness as health
from api.health.metrics import MetricsConfig, MetricsMiddleware
from api.mcp.endpoint import PATH, AssistantTools
from api.oauth import routes as oidc
from api.openapi import description, reference
from api.v1 import callbacks, documents, downloads, sessions, templates, uploads
from application.oauth.access_tokens import AccessTokens
from application.services import Services
from asgi import error_handlers
from asgi.head_requests import HeadMiddleware
from asgi.middleware.body_limit import BodyLimit
from asgi.middleware.cache_control import NoStoreMiddleware
from asgi.middleware.request_ids import RequestIds
from asgi.middleware.request_log import RequestLog
from asgi.middleware.tracing import TracingMiddleware
from asgi.middleware.transport_security import TransportSecurity
from asgi.rate_limits import RateLimitHeaders
from domain.shared.version import VERSION
from web import routes as pages
from web.codec import routes as codec


def _routes() -> list[BaseRoute]:
    together = APIRouter(generate_unique_id_function=lambda route: to_camel(route.name))
    for router in (
        oidc.router,
        sessions.router,
        downloads.router,
        callbacks.router,
        uploads.router,
        templates.router,
        documents.router,
        downloads.pre_signed_router,
        health.router,
        metrics.router,
        codec.router,
        reference.router,
        pages.router,
    ):
        together.include_router(router)
    return together.routes


ROUTES = _routes()
"""The routes of every application. FastAPI prepares them at the first request, and keeps what it prepared with them."""


def create_app(services: Services, metering: MetricsConfig | None = None, tracing: Tracing | None = None) -> FastAPI:
    """The HTTP service on these `services`, which belong to whoever made them.

    `metering` says where its figures go, and who may read them; without it nobody may. `tracing` makes its traces;
    without it there are none, and no cost of them.
    """
    metering = metering or MetricsConfig()
    app = FastAPI(
        title="Undersign",
        version=VERSION,
        # Addresses are exact: a redirect would lose the body of a POST with many clients.
        redirect_slashes=False,
        # `api.openapi.reference` serves the description, which is made beside the event loop. The pages that come with
        # FastAPI load programs from elsewhere, which a self-hosted service must not.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(MetricsMiddleware, HttpMetrics(metering.registry)),
            Middleware(RequestIds),
            *([Middleware(TransportSecurity)] if services.base_url.startswith("https:") else []),
            *([Middleware(TracingMiddleware, tracing.tracer)] if tracing else []),
            Middleware(NoStoreMiddleware),
            Middleware(RateLimitHeaders),
            Middleware(RequestLog),
            Middleware(BodyLimit, bound_of=bound_of),
            Middleware(HeadMiddleware),
        ],
    )
    app.state.services = services
    app.state.metering = metering
    app.state.tokens = AccessTokens(services.access_keys, services.base_url)
    app.openapi = lambda: description.describe(app)  # type: ignore[method-assign]  # FastAPI's documented seam
    error_handlers.install(app)
    app.router.routes += [*ROUTES, Route(PATH, AssistantTools(app), methods=["POST"], name="mcp")]
    return app
