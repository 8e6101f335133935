"""Interceptors of activities: a log line and metrics for each attempt.

A failure that an activity expects (`BENIGN`), such as a receiver that refused a callback, is not logged as a warning.
"""

from time import perf_counter

import structlog
from temporalio import activity, client, worker
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.telemetry.logs import describe_error, name_error
from adapters.telemetry.metrics import WorkerMetrics

log = structlog.get_logger(__name__)


class ActivityLog(client.Interceptor, worker.Interceptor):
    """Logs result and duration of each attempt. Registered with the client, which passes it to its workers."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Logged(next)


class _Logged(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> object:
        began = perf_counter()
        try:
            result = await super().execute_activity(input)
        except Exception as error:
            if isinstance(error, ApplicationError) and error.category is ApplicationErrorCategory.BENIGN:
                log.info("activity will be tried again", reason=error.message, milliseconds=_milliseconds_since(began))
                raise
            log.warning(
                "activity failed",
                queue=activity.info().task_queue,
                milliseconds=_milliseconds_since(began),
                reason=name_error(error),
                exception=describe_error(error),
            )
            raise
        log.info("activity", queue=activity.info().task_queue, milliseconds=_milliseconds_since(began))
        return result


def _milliseconds_since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 1)


GENERATION = "generate_document"
"""The activity that is an effect of its own: stamping, sealing and storing one document."""


class ActivityMetrics(client.Interceptor, worker.Interceptor):
    """Counts and times each attempt. Registered with the client, which passes it to its workers."""

    def __init__(self, metrics: WorkerMetrics) -> None:
        self._metrics = metrics

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Counted(next, self._metrics)


class _Counted(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, metrics: WorkerMetrics) -> None:
        super().__init__(next)
        self._metrics = metrics

    async def execute_activity(self, input: ExecuteActivityInput) -> object:
        info, metrics = activity.info(), self._metrics
        if not info.is_local:  # a local one is in no queue
            waited = (info.started_time - info.current_attempt_scheduled_time).total_seconds()
            metrics.waits.labels(info.task_queue).observe(max(waited, 0.0))
        in_flight = metrics.in_flight.labels(info.task_queue)
        began, outcome = perf_counter(), "failed"
        in_flight.inc()
        try:
            result = await super().execute_activity(input)
            outcome = "done"
        finally:
            took = perf_counter() - began
            in_flight.dec()
            metrics.activities.labels(info.activity_type, info.task_queue, outcome).observe(took)
            if info.activity_type == GENERATION:
                metrics.effects.labels("generation", outcome).observe(took)
        return result
