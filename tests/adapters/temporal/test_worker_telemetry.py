"""The line in the log for each try of an activity."""

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs
from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.telemetry.metrics import WorkerMetrics
from adapters.temporal.worker_telemetry import ActivityTelemetry


class Body(ActivityInboundInterceptor):
    """An activity that fails so, if at all."""

    def __init__(self, failure: Exception | None) -> None:
        self._failure = failure

    async def execute_activity(self, input: ExecuteActivityInput) -> object:
        if self._failure:
            raise self._failure
        return None


@activity.defn
async def nothing() -> None:
    """The name of what is logged."""


async def logged(failure: Exception | None) -> tuple[str, str]:
    """The level and the words of the line."""
    intercepted = ActivityTelemetry(WorkerMetrics(CollectorRegistry())).intercept_activity(Body(failure))
    request = ExecuteActivityInput(fn=nothing, args=[], executor=None, headers={})
    with capture_logs() as lines:
        if failure is None:
            await ActivityEnvironment().run(intercepted.execute_activity, request)
        else:
            with pytest.raises(type(failure)):
                await ActivityEnvironment().run(intercepted.execute_activity, request)
    (line,) = lines
    return line["log_level"], line["event"]


async def test_a_failure_that_is_expected_is_no_warning() -> None:
    expected = ApplicationError("the receiver answered 500", category=ApplicationErrorCategory.BENIGN)
    assert await logged(expected) == ("info", "activity will be tried again")
    assert await logged(ApplicationError("the disk is full")) == ("warning", "activity failed")
    assert await logged(OSError("the disk is full")) == ("warning", "activity failed")
    assert await logged(None) == ("info", "activity")
