"""All that lets operators see into a worker: its figures, the server for them, and what is around each activity."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import structlog
from prometheus_client import CollectorRegistry
from temporalio.client import Interceptor

from adapters.telemetry.metrics import WorkerMetrics, new_registry
from adapters.telemetry.metrics_server import serving
from adapters.telemetry.traces import tracing
from adapters.temporal.activity_log import ActivityLog
from adapters.temporal.activity_metrics import ActivityFigures
from adapters.temporal.runtime import tell_of_temporal

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Telemetry:
    """Of one worker process."""

    registry: CollectorRegistry
    figures: WorkerMetrics
    sdk: Callable[[], str]
    """Reads the figures of Temporal's SDK."""

    interceptors: Sequence[Interceptor]
    """For the client of the workers."""

    @asynccontextmanager
    async def served(self, address: tuple[str, int] | None, is_ready: Callable[[], bool]) -> AsyncIterator[None]:
        """Serves the figures at `address`, if there is one, for as long as the context lasts.

        `/healthz` there answers 200 while `is_ready`.

        Raises:
            ConfigError: the address cannot be listened at.
        """
        if address is None:
            yield
            return
        with serving(address, self.registry, self.sdk, is_ready) as port:
            log.info("worker can be asked", port=port)
            yield


@contextmanager
def open_telemetry(environment: Mapping[str, str]) -> Iterator[Telemetry]:
    """That of this process, for as long as the context lasts; made before the first client of Temporal is.

    Raises:
        ConfigError: traces are asked for and cannot be made.
    """
    registry, sdk = new_registry(), tell_of_temporal()
    figures = WorkerMetrics(registry)
    with tracing("undersign-worker", environment) as traces:
        around = traces.interceptors if traces else ()
        yield Telemetry(registry, figures, sdk, (*around, ActivityLog(), ActivityFigures(figures)))
