"""The telemetry of a worker process: metrics, their server, and the interceptors of its client."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import perf_counter

import structlog
from prometheus_client import CollectorRegistry
from temporalio import activity, client, worker
from temporalio.client import Interceptor
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.telemetry.logs import describe_error, name_error
from adapters.telemetry.metrics import WorkerMetrics, new_registry
from adapters.telemetry.traces import tracing
from adapters.telemetry.worker_server import serve_metrics
from adapters.temporal.sdk_telemetry import configure_sdk_telemetry
from domain.ports.database import DatabaseUnavailable
from domain.ports.mail import MailNotSent, MailRejected

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Telemetry:
    """The telemetry of one worker process."""

    registry: CollectorRegistry
    metrics: WorkerMetrics
    sdk: Callable[[], str]
    """Reads the metrics of Temporal's SDK."""

    interceptors: Sequence[Interceptor]
    """Interceptors for the client of the workers."""

    @asynccontextmanager
    async def served(self, address: tuple[str, int] | None, is_ready: Callable[[], bool]) -> AsyncIterator[None]:
        """Serves `/metrics` and `/healthz` at `address`, if it is set, during the block. Raises `ConfigError`."""
        if address is None:
            yield
            return
        with serve_metrics(address, self.registry, self.sdk, is_ready) as port:
            log.info("worker serves metrics", port=port)
            yield


@contextmanager
def open_telemetry(environment: Mapping[str, str]) -> Iterator[Telemetry]:
    """Yields the telemetry of this process. Call it before creating a Temporal client. Raises `ConfigError`."""
    registry, sdk = new_registry(), configure_sdk_telemetry()
    metrics = WorkerMetrics(registry)
    with tracing("undersign-worker", environment) as traces:
        around = traces.interceptors if traces else ()
        yield Telemetry(registry, metrics, sdk, (*around, ActivityTelemetry(metrics)))


_OF_BACKENDS = (MailNotSent, MailRejected, DatabaseUnavailable)
"""Errors of backends, whose messages state the cause: they need no stack."""

GENERATION = "generate_document"
"""The activity that also counts as an effect: stamping, sealing and storing a document."""


class ActivityTelemetry(client.Interceptor, worker.Interceptor):
    """Logs, counts and times each attempt. Registered with the client, which passes it to its workers.

    An expected failure (`BENIGN`), such as a receiver that refused a callback, is logged at level INFO, not as a
    warning.
    """

    def __init__(self, metrics: WorkerMetrics) -> None:
        self._metrics = metrics

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Observed(next, self._metrics)


class _Observed(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, metrics: WorkerMetrics) -> None:
        super().__init__(next)
        self._metrics = metrics

    async def execute_activity(self, input: ExecuteActivityInput) -> object:
        info, metrics = activity.info(), self._metrics
        if not info.is_local:  # a local activity has no queue
            waited = (info.started_time - info.current_attempt_scheduled_time).total_seconds()
            metrics.waits.labels(info.task_queue).observe(max(waited, 0.0))
        began, outcome, failure = perf_counter(), "failed", None
        metrics.in_flight.labels(info.task_queue).inc()
        try:
            result = await super().execute_activity(input)
        except Exception as error:
            failure = error
            raise
        else:
            outcome = "done"
            return result
        finally:
            took = perf_counter() - began
            metrics.in_flight.labels(info.task_queue).dec()
            metrics.activities.labels(info.activity_type, info.task_queue, outcome).observe(took)
            if info.activity_type == GENERATION:
                metrics.effects.labels("generation", outcome).observe(took)
            if failure is not None or outcome == "done":
                _log_attempt(failure, info.task_queue, round(took * 1000, 1))


def _log_attempt(failure: Exception | None, queue: str, milliseconds: float) -> None:
    if failure is None:
        log.info("activity", queue=queue, milliseconds=milliseconds)
    elif isinstance(failure, ApplicationError) and failure.category is ApplicationErrorCategory.BENIGN:
        log.info("activity will be tried again", reason=failure.message, milliseconds=milliseconds)
    else:
        stack = {} if isinstance(failure.__cause__ or failure, _OF_BACKENDS) else {"exception": describe_error(failure)}
        log.warning("activity failed", queue=queue, milliseconds=milliseconds, reason=name_error(failure), **stack)
