"""One log line for each try of an activity: how it went, and how long it took. Its ids are bound around it.

A failure that an activity expects (`BENIGN`), such as a receiver that refused a callback, is no warning.
"""

from time import perf_counter

import structlog
from temporalio import activity, client, worker
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.telemetry.error_format import describe_error, name_error

log = structlog.get_logger(__name__)


class ActivityLog(client.Interceptor, worker.Interceptor):
    """For the client of workers, all of which have it then."""

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
