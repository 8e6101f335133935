"""Logs as JSON lines on standard error: structured, without personal data and without tokens.

Three things keep them so. Only our own loggers tell of what went well; those of libraries, which quote addresses of
requests, are heard from warnings on. Of an error the kinds and the places are told, and the message only where it is
ours: libraries quote what they were given. And whatever is said, what looks like a secret is taken out of it.
"""

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from adapters.telemetry.error_format import describe_error
from adapters.telemetry.log_redaction import without_secrets

OUR_LOGGERS = ("__main__", "activities", "adapters", "api", "domain", "stamping", "worker", "workflows")
CHEERFUL = (*OUR_LOGGERS, "uvicorn.error", "temporalio.workflow")
"""Who is heard when all is well; everybody else is from warnings on."""

REPEATING = ("temporalio.activity",)
"""Who tells of each failed try of an activity, which our own line does."""


def configure_logs() -> None:
    """Has every log line of this process, ours and the libraries', come out as one JSON object."""
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
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            # Its own way of keeping an error beside its line would print it with its message.
            keep_exc_info=False,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(default=str),
            ],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[output], force=True)
    for name in CHEERFUL:
        logging.getLogger(name).setLevel(logging.INFO)
    for name in REPEATING:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _add_trace_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Names the trace that the line is part of, where traces are made: only there is OpenTelemetry loaded."""
    traces = sys.modules.get("opentelemetry.trace")
    if traces is not None:
        span = traces.get_current_span().get_span_context()
        if span.is_valid:
            event["trace_id"] = f"{span.trace_id:032x}"
    return event


def _tell_error(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Puts the kinds, the places and our own words of an error in the place of it."""
    given = event.pop("exc_info", None)
    if given is True:
        error = sys.exc_info()[1]
    elif isinstance(given, tuple):
        error = given[1]
    else:
        error = given
    if isinstance(error, BaseException):
        event["exception"] = describe_error(error)
    return event
