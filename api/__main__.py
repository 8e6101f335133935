"""`python -m api`: the HTTP service, until SIGTERM or SIGINT."""

import os
import signal
from collections.abc import Callable

import structlog
import uvicorn
import uvloop

from adapters.processes.run import run_process
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.traces import Tracing, tracing
from adapters.temporal.runtime import configure_sdk_telemetry
from api.app import create_app
from api.composition import open_services
from api.health.metrics import MetricsConfig
from application.services import Services
from asgi.server import BodyDrain, BoundedHttp
from domain.shared.version import VERSION
from settings import Settings

log = structlog.get_logger(__name__)

GRACE_SECONDS = 10
"""How long requests under way may take to end when the service is stopped."""

KEEP_ALIVE_SECONDS = 75
"""How long a connection may be idle: longer than proxies keep theirs (60 s), so that none is closed under a request."""


def configure(
    services: Services, settings: Settings, others: Callable[[], str] = str, traces: Tracing | None = None
) -> uvicorn.Config:
    """How the service is served; `others` reads the figures that are not its own, `traces` makes traces."""
    return uvicorn.Config(
        BodyDrain(create_app(services, MetricsConfig(settings.metrics_readers, others), traces)),
        host=settings.api_host,
        port=settings.api_port,
        http=BoundedHttp,
        ws="none",
        log_config=None,
        # Ours names routes; uvicorn's would write the tokens of signing links into the log.
        access_log=False,
        server_header=False,
        # Whoever is not trusted could choose the address that is counted and kept in histories.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )


async def serve(settings: Settings) -> None:
    """Serves until a signal to stop, then lets the requests under way end."""
    others = configure_sdk_telemetry()
    with tracing("undersign-api", os.environ) as traces:
        async with open_services(settings, traces.interceptors if traces else ()) as services:
            log.info("the service starts", version=VERSION, host=settings.api_host, port=settings.api_port)
            await uvicorn.Server(configure(services, settings, others, traces)).serve()


def main() -> None:
    configure_logs()
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn stops at these, then raises them once more for whoever handled them before; by then all is done.
        signal.signal(number, lambda *_: None)
    run_process(lambda: serve(Settings.read_for_server()), "the service could not go on", uvloop.new_event_loop)


if __name__ == "__main__":
    main()
