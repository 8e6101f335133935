"""Log lines: JSON, with what helps an operator and without what is nobody's business."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import redirect_stderr
from typing import Any

import pytest
import structlog
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import format_trace_id

from adapters.keys.secret_keys import KeysUnusable
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.traces import tracing_to


@pytest.fixture
def output() -> Iterator[io.StringIO]:
    """What this process says on standard error, from here on; afterwards it logs as before."""
    root = logging.getLogger()
    handlers, level, configuration = list(root.handlers), root.level, structlog.get_config()
    output = io.StringIO()
    with redirect_stderr(output):
        configure_logs()
        yield output
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configuration)


def last(output: io.StringIO) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(output.getvalue().splitlines()[-1])
    return entry


def test_a_line_has_time_level_logger_and_context(output: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        structlog.get_logger("api.somewhere").info("done", count=3)

    entry = last(output)
    assert {**entry, "timestamp": ""} == {
        "event": "done", "count": 3, "request_id": "r-1", "level": "info", "logger": "api.somewhere", "timestamp": "",
    }  # fmt: skip


def test_a_line_names_the_trace_that_it_is_part_of(output: io.StringIO) -> None:
    log = structlog.get_logger("activities.somewhere")
    with tracing_to(InMemorySpanExporter(), "undersign-test", SimpleSpanProcessor) as traces:
        with traces.tracer.start_as_current_span("step") as span:
            log.info("in it")
        log.info("after it")

    within, after = map(json.loads, output.getvalue().splitlines())
    assert within["trace_id"] == format_trace_id(span.get_span_context().trace_id)
    assert "trace_id" not in after


def test_libraries_log_warnings_only(output: io.StringIO) -> None:
    logging.getLogger("httpx").info("HTTP Request: GET https://user:secret@example.com")
    assert output.getvalue() == ""


def test_only_our_errors_are_logged_with_messages(output: io.StringIO) -> None:
    def fail() -> None:
        try:
            raise ValueError("Ada Lovelace is no number")
        except ValueError as error:
            raise KeysUnusable("a key is damaged") from error

    try:
        fail()
    except KeysUnusable:
        structlog.get_logger("api.somewhere").exception("unexpected error")

    exception = last(output)["exception"]
    assert "adapters.keys.secret_keys.KeysUnusable: a key is damaged" in exception
    assert "caused by ValueError\n" in exception
    assert "tests/adapters/telemetry/test_logs.py:" in exception
    assert "Ada" not in exception


def test_errors_that_libraries_log_have_no_messages(output: io.StringIO) -> None:
    try:
        raise ValueError("Ada Lovelace is no number")
    except ValueError:
        logging.getLogger("asyncio").exception("it went wrong")

    assert (last(output)["event"], "Ada" in output.getvalue(), "Traceback" in output.getvalue()) == (
        "it went wrong", False, False,
    )  # fmt: skip


def test_system_errors_are_logged_without_file_names(output: io.StringIO) -> None:
    try:
        raise OSError(28, "No space left on device", "/data/Ada.pdf")
    except OSError:
        structlog.get_logger("worker").exception("could not write")

    assert "OSError: No space left on device" in last(output)["exception"]
    assert "Ada.pdf" not in output.getvalue()


@pytest.mark.parametrize(
    ("secret", "shown"),
    [
        ("550 <ada@example.com> unknown", "550 <[address]> unknown"),
        ("smtp://ada:pa55@mail.example.com:587", "[credentials]@mail.example.com:587"),
        ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [token]"),
        ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", "[token]"),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "[secret]"),
        ("GET /sign/AbCdEfGhIjKlMnOpQr", "GET /sign/[token]"),
        ("GET /api/v1/Session/{sessionId}", "GET /api/v1/Session/{sessionId}"),
    ],
)
def test_secrets_are_redacted(output: io.StringIO, secret: str, shown: str) -> None:
    structlog.get_logger("worker").warning("refused", reason=secret)
    assert last(output)["reason"] == shown
