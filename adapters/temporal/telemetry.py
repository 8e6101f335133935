"""The telemetry of a worker process: metrics, their server, and the interceptors of its client."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import structlog
from prometheus_client import CollectorRegistry
from temporalio.client import Interceptor

from adapters.telemetry.metrics import WorkerMetrics, new_registry
from adapters.telemetry.metrics_server import serve_metrics
from adapters.telemetry.traces import tracing
from adapters.temporal.activity_interceptors import ActivityLog, ActivityMetrics
from adapters.temporal.runtime import configure_sdk_telemetry

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Telemetry:
    """Of one worker process."""

    registry: CollectorRegistry
    metrics: WorkerMetrics
    sdk: Callable[[], str]
    """Reads the metrics of Temporal's SDK."""

    interceptors: Sequence[Interceptor]
    """For the client of the workers."""

    @asynccontextmanager
    async def served(self, address: tuple[str, int] | None, is_ready: Callable[[], bool]) -> AsyncIterator[None]:
        """Serves the metrics at `address`, if there is one, for as long as the context lasts.

        `/healthz` there answers 200 while `is_ready`. Raises `ConfigError`.
        """
        if address is None:
            yield
            return
        with serve_metrics(address, self.registry, self.sdk, is_ready) as port:
            log.info("worker serves metrics", port=port)
            yield


@contextmanager
def open_telemetry(environment: Mapping[str, str]) -> Iterator[Telemetry]:
    """Yields the telemetry of this process for the duration of the block. Call it before creating a client of Temporal.
    Raises `ConfigError`.
    """
    registry, sdk = new_registry(), configure_sdk_telemetry()
    metrics = WorkerMetrics(registry)
    with tracing("undersign-worker", environment) as traces:
        around = traces.interceptors if traces else ()
        yield Telemetry(registry, metrics, sdk, (*around, ActivityLog(), ActivityMetrics(metrics)))
