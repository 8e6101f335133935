"""Exports spans with allowed attributes only. Loaded only if traces are enabled, and before any workflow runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

ALLOWED_ATTRIBUTES = frozenset(
    {
        *("http.request.method", "http.route", "http.response.status_code"),
        *("temporalWorkflowID", "temporalRunID", "temporalActivityID", "temporalActivityType"),
        "exception.type",
    }
)
"""Attributes that are exported. The id of an update is not exported, because it is a client's Idempotency-Key."""


class RedactingSpanExporter(SpanExporter):
    """Exports spans by another exporter, without error messages and without attributes that are not allowed."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_without_words(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _without_words(span: ReadableSpan) -> ReadableSpan:
    events = [Event(event.name, _harmless(event.attributes), event.timestamp) for event in span.events]
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_harmless(span.attributes),
        events=events,
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),  # its description quotes the error
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _harmless(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (attributes or {}).items() if name in ALLOWED_ATTRIBUTES}
