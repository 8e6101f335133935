"""The line in the log for each try of an activity."""

from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs
from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from adapters.telemetry.metrics import WorkerMetrics
from adapters.temporal.worker_telemetry import ActivityTelemetry
from domain.ports.mail import MailNotSent, MailRejected


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
    line = await line_of(failure)
    return line["log_level"], line["event"]


async def line_of(failure: Exception | None) -> Any:
    intercepted = ActivityTelemetry(WorkerMetrics(CollectorRegistry())).intercept_activity(Body(failure))
    request = ExecuteActivityInput(fn=nothing, args=[], executor=None, headers={})
    with capture_logs() as lines:
        if failure is None:
            await ActivityEnvironment().run(intercepted.execute_activity, request)
        else:
            with pytest.raises(type(failure)):
                await ActivityEnvironment().run(intercepted.execute_activity, request)
    (line,) = lines
    return line


async def test_a_failure_that_is_expected_is_no_warning() -> None:
    expected = ApplicationError("the receiver answered 500", category=ApplicationErrorCategory.BENIGN)
    assert await logged(expected) == ("info", "activity will be tried again")
    assert await logged(ApplicationError("the disk is full")) == ("warning", "activity failed")
    assert await logged(OSError("the disk is full")) == ("warning", "activity failed")
    assert await logged(None) == ("info", "activity")


async def test_an_error_of_a_backend_is_logged_without_its_stack() -> None:
    refused = ApplicationError("552 over quota", type="MailRejected")
    refused.__cause__ = MailRejected("552 over quota")

    lines = [await line_of(failure) for failure in (MailNotSent("451 greylisted"), refused, OSError("full"))]

    assert [("exception" in line, line["reason"]) for line in lines] == [
        (False, "domain.ports.mail.MailNotSent: 451 greylisted"),
        (False, "temporalio.exceptions.ApplicationError: MailRejected: 552 over quota"),
        (True, lines[2]["reason"]),
    ]
