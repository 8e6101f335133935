"""The process of the HTTP service, which serves until SIGTERM or SIGINT."""

import os
import signal
from collections.abc import Callable

import structlog
import uvicorn
import uvloop

from activities.maintenance import run_periodically
from adapters.processes.run import run_process
from adapters.processes.stop_signals import STOP_SIGNALS
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.outages import OutageLog
from adapters.telemetry.traces import Tracing, tracing
from adapters.temporal.sdk_telemetry import configure_sdk_telemetry
from api.app import create_app
from api.composition import open_services
from api.health.metrics import MetricsConfig
from application.services import Services
from config.production_checks import read_for_server
from config.settings import Settings
from domain.shared.version import VERSION
from web.asgi.client_address import proxy_options
from web.asgi.http_protocol import BodyDrain, BoundedHttp
from workflows.client.namespace_check import WATCH_EVERY, connect_watch

log = structlog.get_logger(__name__)

GRACE_SECONDS = 10
"""Time for requests in progress to end when the service is stopped."""

KEEP_ALIVE_SECONDS = 75
"""Maximum idle time of a connection: longer than that of proxies (60 s), which would reuse a closed connection."""


def configure(
    services: Services, settings: Settings, others: Callable[[], str] = str, traces: Tracing | None = None
) -> uvicorn.Config:
    """Returns the configuration of the server. `others` reads the metrics of the Temporal SDK."""
    return uvicorn.Config(
        BodyDrain(create_app(services, MetricsConfig(settings.metrics_readers, others), traces)),
        host=settings.api_host,
        port=settings.api_port,
        http=BoundedHttp,
        ws="none",
        log_config=None,
        # uvicorn's log contains paths, which hold the tokens of signing links. `RequestLog` names routes.
        access_log=False,
        server_header=False,
        **proxy_options(settings.trusted_proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )


async def serve(settings: Settings) -> None:
    """Serves until a signal to stop, then waits for the requests in progress."""
    others = configure_sdk_telemetry()
    with tracing("undersign-api", os.environ) as traces:
        watch = await connect_watch(settings.temporal, OutageLog("temporal"))
        async with (
            open_services(settings, traces.interceptors if traces else ()) as services,
            run_periodically(watch, WATCH_EVERY, "Temporal could not be watched"),
        ):
            log.info("the service starts", version=VERSION, host=settings.api_host, port=settings.api_port)
            server = uvicorn.Server(configure(services, settings, others, traces))
            for number in STOP_SIGNALS:
                # uvicorn handles these signals, then raises them again for this earlier handler, when nothing is left
                # to do.
                signal.signal(number, server.handle_exit)
            await server.serve()


def main() -> None:
    """Serves until a signal to stop."""
    configure_logs()
    run_process(lambda: serve(read_for_server()), "the service failed", uvloop.new_event_loop)
