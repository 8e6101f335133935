"""OpenTelemetry traces, from the request through the workflow to its activities.

They are off, and OpenTelemetry is not loaded, unless its own variables name a collector. Only allowed attributes are
exported: no error messages, URLs or arguments.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domain.shared.errors import ConfigError
from domain.shared.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

COLLECTORS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


@dataclass(frozen=True, slots=True)
class Tracing:
    """A tracer and the interceptors that use it."""

    tracer: "Tracer"
    interceptors: Sequence[Any]
    """Interceptors for clients of Temporal."""


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Returns whether a collector is named and OpenTelemetry is not disabled."""
    is_off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return not is_off and any(environment.get(name) for name in COLLECTORS)


def check_installed(environment: Mapping[str, str]) -> None:
    """Raises `ConfigError` if traces are wanted, and the packages for them are missing."""
    if is_wanted(environment):
        _load_exporter()


def _load_exporter() -> "type[SpanExporter]":
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ConfigError(
            "OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need undersign[tracing]: install it, or unset it."
        ) from error
    return OTLPSpanExporter


@contextmanager
def tracing(service: str, environment: Mapping[str, str]) -> Iterator[Tracing | None]:
    """Yields the tracing of `service` for the duration of the block; None if it is off.

    `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and OpenTelemetry's other variables apply.
    Raises `ConfigError`.
    """
    if not is_wanted(environment):
        yield None
        return
    exporter = _load_exporter()
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415  # as above: loaded when wanted

    with tracing_to(exporter(), service, BatchSpanProcessor) as made:
        yield made


@contextmanager
def tracing_to(exporter: "SpanExporter", service: str, processor: Any) -> Iterator[Tracing]:  # noqa: ANN401  # a kind
    """Yields tracing with that exporter; `processor` is the class of the span processor."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415  # see above
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from temporalio.contrib.opentelemetry import TracingInterceptor  # noqa: PLC0415

    from adapters.telemetry.span_redaction import RedactingSpanExporter  # noqa: PLC0415

    named = {"service.name": service, "service.version": VERSION}
    # OpenTelemetry's own variables take precedence.
    provider = TracerProvider(resource=Resource(named).merge(OTELResourceDetector().detect()))
    provider.add_span_processor(processor(RedactingSpanExporter(exporter)))
    tracer = provider.get_tracer("undersign")
    try:
        yield Tracing(tracer, (TracingInterceptor(tracer),))
    finally:
        provider.shutdown()
