"""Logs as JSON lines on standard error, without personal data and tokens.

Loggers of libraries, which quote URLs, start at WARNING. Errors are logged with their types and stack locations. Only
messages of our own errors are included, because libraries quote their input. Every text that looks like a secret is
replaced.
"""

import logging
import re
import sys
from collections.abc import Iterator

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from domain.shared.error_redaction import OURS, error_type_name, safe_message, stack_locations

INFO_LOGGERS = ("__main__", *OURS, "uvicorn.error", "temporalio.workflow")
"""Loggers at level INFO. All others are at WARNING."""

SILENCED_LOGGERS = ("temporalio.activity",)
"""Loggers that repeat what `ActivityTelemetry` writes: one line for each failed attempt of an activity."""


def configure_logs() -> None:
    """Formats every log line of this process as one JSON object."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        _add_trace_id,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _tell_error,
        without_secrets,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            # The formatter's own way to keep exc_info would print the error's message.
            keep_exc_info=False,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(default=str),
            ],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[output], force=True)
    for name in INFO_LOGGERS:
        logging.getLogger(name).setLevel(logging.INFO)
    for name in SILENCED_LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _add_trace_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Adds the id of the current trace, if OpenTelemetry is loaded."""
    traces = sys.modules.get("opentelemetry.trace")
    if traces is not None:
        span = traces.get_current_span().get_span_context()
        if span.is_valid:
            event["trace_id"] = f"{span.trace_id:032x}"
    return event


def _tell_error(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replaces an error by its types, stack locations and our own messages."""
    value = event.pop("exc_info", None)
    if value is True:
        error = sys.exc_info()[1]
    elif isinstance(value, tuple):
        error = value[1]
    else:
        error = value
    if isinstance(error, BaseException):
        event["exception"] = describe_error(error)
    return event


_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/@\"']+@"), "[credentials]@"),
    (re.compile(r"[^\s@<>()\[\]\"',;:=]+@[^\s@<>()\[\]\"',;:]+"), "[address]"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), "[token]"),
    (re.compile(r"(?i)\b(bearer|basic) +[\w.~+/=-]{8,}"), r"\1 [token]"),
    (re.compile(r"\bwhsec_[\w+/=-]+"), "[secret]"),
    (re.compile(r"/(sign|sign-in|objects)/[\w.~-]{16,}"), r"/\1/[token]"),
    (re.compile(r"\b[\w-]{80,}"), "[token]"),
)
"""Patterns with their replacements: credentials in URLs, mail addresses, JWTs, authorization headers, secrets of
callbacks, paths with a secret, long tokens. The first two need an `@`."""


def redact(text: str) -> str:
    """Returns `text` with placeholders for secrets and mail addresses."""
    for shape, instead in _SHAPES if "@" in text else _SHAPES[2:]:
        text = shape.sub(instead, text)
    return text


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Redacts each string value of a log line (a processor of structlog)."""
    return {name: redact(value) if isinstance(value, str) else value for name, value in event.items()}


MAX_CAUSES = 10


def name_error(error: BaseException) -> str:
    """Returns the type of the error, with its message if it is our own or the system's."""
    name, words = error_type_name(error), _words(error)
    return f"{name}: {words}" if words else name


def describe_error(error: BaseException) -> str:
    """Returns the error and its causes, the first cause last, each with its stack frames."""
    causes = ((name_error(cause), *stack_locations(cause.__traceback__)) for cause in _chain(error))
    return "\ncaused by ".join("\n  ".join(lines) for lines in causes)


def _words(error: BaseException) -> str:
    # Temporal's error types carry our own messages.
    return str(error) if type(error).__module__ == "temporalio.exceptions" else safe_message(error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(MAX_CAUSES):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
