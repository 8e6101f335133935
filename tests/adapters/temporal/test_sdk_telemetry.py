"""Log lines of the Temporal SDK."""

import logging

import pytest

from adapters.temporal.sdk_telemetry import configure_sdk_telemetry


@pytest.mark.parametrize(
    ("message", "is_logged"),
    [
        ("[sdk_core::temporalio_client::retry] gRPC call poll_activity_task_queue retried 7 times", False),
        ("[sdk_core::worker] Workflow task failed", True),
    ],
)
def test_retries_of_calls_are_not_logged(message: str, is_logged: bool, caplog: pytest.LogCaptureFixture) -> None:
    configure_sdk_telemetry()

    logging.getLogger("temporalio.core").warning(message)

    assert (message in caplog.messages) is is_logged
