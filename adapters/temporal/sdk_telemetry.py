"""Logs and metrics of the Temporal SDK.

The SDK serves its metrics on a free local port. The process's own metrics server appends them.
"""

import logging
import socket
from collections.abc import Callable

import httpx
from temporalio.runtime import (
    LogForwardingConfig,
    LoggingConfig,
    PrometheusConfig,
    Runtime,
    TelemetryConfig,
    TelemetryFilter,
)

_CORE = "temporalio.core"
_HERE = "127.0.0.1"
_TRIES = 5
_PATIENCE = 2.0  # seconds; it answers within milliseconds


def configure_sdk_telemetry() -> Callable[[], str]:
    """Configures the SDK before the first client is created. Returns a function that reads its metrics as text."""
    for _ in range(_TRIES - 1):
        try:
            return _tell(_free_port())
        except RuntimeError:  # another process took the port meanwhile
            continue
    return _tell(_free_port())


def _tell(port: int) -> Callable[[], str]:
    # Several lines a second while Temporal is away, without address or reason. The process itself logs the outage.
    logging.getLogger(_CORE).addFilter(_is_no_retry)
    logs = LoggingConfig(
        TelemetryFilter(core_level="WARN", other_level="ERROR"),
        forwarding=LogForwardingConfig(
            logging.getLogger(_CORE),
            append_target_to_name=False,
            # The fields quote failures, which may hold personal data.
            append_log_fields_to_message=False,
        ),
    )
    metrics = PrometheusConfig(
        f"{_HERE}:{port}", counters_total_suffix=True, unit_suffix=True, durations_as_seconds=True
    )
    Runtime.set_default(Runtime(telemetry=TelemetryConfig(logging=logs, metrics=metrics)), error_if_already_set=False)
    return lambda: _read(port)


def _is_no_retry(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not ("gRPC call" in message and "retried" in message)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind((_HERE, 0))
        return int(listening.getsockname()[1])


def _read(port: int) -> str:
    try:
        answer = httpx.get(f"http://{_HERE}:{port}/metrics", timeout=_PATIENCE, trust_env=False)
    except httpx.HTTPError:
        return ""
    return answer.text if answer.is_success else ""
