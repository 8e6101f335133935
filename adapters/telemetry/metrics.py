"""The Prometheus metrics of a process. `docs/metrics.md` describes each; a test compares both."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from time import perf_counter, time

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from domain.callbacks.delivery_schedule import Attempt
from domain.ports.callbacks import CallbackSender
from domain.ports.mail import Mail, Mailer, MailRefusedForNow, MailRejected
from domain.ports.seals import PreparedPdf, SealedPdf, Sealer, TrustAnchors
from domain.seal.seal import SealLevel, Statement
from domain.session.waiting_cause import StuckCount, WaitingCause
from domain.shared.version import VERSION

# A `_created` series for each metric is not needed.
disable_created_metrics()  # type: ignore[no-untyped-call]  # it is not annotated

SHORT = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Buckets in seconds for requests."""

LONG = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 30.0, 60.0, 300.0)
"""Buckets in seconds for background work."""


def new_registry() -> CollectorRegistry:
    """Returns a registry with metrics of this process: version, memory, CPU time and open files."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    build = Gauge(
        "undersign_build_info",
        "The version of the service, as a label; the value is 1",
        ("version",),
        registry=registry,
    )
    build.labels(VERSION).set(1)
    return registry


class HttpMetrics:
    """Metrics of the API. Routes are named by their templates, because URLs hold identifiers and tokens."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "undersign_http_requests", "Requests answered", ("method", "route", "status"), registry=registry
        )
        self.durations = Histogram(
            "undersign_http_request_duration_seconds",
            "Seconds from a request's arrival to the end of its answer",
            ("method", "route"),
            buckets=SHORT,
            registry=registry,
        )
        self.in_flight = Gauge(
            "undersign_http_requests_in_flight", "Requests that are being answered", registry=registry
        )


def new_dependency_gauge(registry: CollectorRegistry) -> Gauge:
    """Returns the gauge that says of each dependency what `/readyz` does."""
    return Gauge(
        "undersign_dependency_ready", "1 if the dependency responds, else 0", ("dependency",), registry=registry
    )


class WorkerMetrics:
    """Metrics of a worker: activities, and their effects outside the service."""

    def __init__(self, registry: CollectorRegistry) -> None:
        long = partial(Histogram, buckets=LONG, registry=registry)
        gauge = partial(Gauge, registry=registry)
        labels = ("activity", "queue", "outcome")
        self.activities = long(
            "undersign_activity_duration_seconds", "Seconds that one try of an activity took", labels
        )
        self.waits = long(
            "undersign_activity_queue_seconds", "Seconds that a try waited in its queue for a worker", ("queue",)
        )
        self.in_flight = gauge("undersign_activities_in_flight", "Tries that are under way", ("queue",))
        self.effects = long(
            "undersign_effect_duration_seconds",
            "Seconds that one effect took: generation, sealing, mail, callback",
            ("effect", "outcome"),
        )
        self.failed_starts = Counter(
            "undersign_failed_starts", "Overdue runs that could not be started and are tried again", registry=registry
        )
        self.stopped = gauge("undersign_sessions_stopped", "Sessions whose run is gone though they need one")
        self._stuck = gauge(
            "undersign_sessions_stuck",
            "Sessions in which a step fails or has failed, by what they wait for",
            ("cause",),
        )
        self._stuck_for = gauge(
            "undersign_sessions_stuck_seconds",
            "Seconds since the first session whose step is retried changed last, by what it waits for",
            ("cause",),
        )
        self.show_stuck({})
        self._failing = gauge(
            "undersign_run_failing",
            "1 for a run whose workflow tasks fail, such as under an incompatible version",
            ("workflow",),
        )
        self._free = gauge("undersign_storage_free_bytes", "Free bytes on the file system of the objects")
        self._seal_end = gauge(
            "undersign_seal_certificate_end_timestamp_seconds", "When the certificate of the seal expires"
        )

    def show_stuck(self, counts: Mapping[WaitingCause, StuckCount]) -> None:
        for cause in (WaitingCause.RUN, WaitingCause.GENERATION, WaitingCause.SEAL, WaitingCause.MAIL):
            count, oldest = counts.get(cause, StuckCount())
            self._stuck.labels(cause.value).set(count)
            self._stuck_for.labels(cause.value).set(time() - oldest.timestamp() if oldest else 0)

    def show_failing(self, workflow_ids: list[str]) -> None:
        self._failing.clear()
        for workflow_id in workflow_ids:
            self._failing.labels(workflow_id).set(1)

    def show_free(self, size: int) -> None:
        self._free.set(size)

    def show_seal_end(self, at: datetime) -> None:
        self._seal_end.set(at.timestamp())

    @contextmanager
    def effect(self, name: str) -> Iterator["Outcome"]:
        """Times an effect. Its outcome is `done` unless the block sets another, and `failed` when it raises."""
        began, outcome = perf_counter(), Outcome()
        try:
            yield outcome
        except BaseException:
            outcome.word = "failed" if outcome.word == Outcome.word else outcome.word
            raise
        finally:
            self.effects.labels(name, outcome.word).observe(perf_counter() - began)


class Outcome:
    """The outcome of an effect: the word for the metric's label `outcome`."""

    word = "done"


class InstrumentedMailer:
    """Implements `Mailer`.

    Outcomes: `done`; `failed` and `serviceRefused`, which are retried; `refused` (the address, permanently).
    """

    def __init__(self, mailer: Mailer, metrics: WorkerMetrics) -> None:
        self._mailer = mailer
        self._metrics = metrics

    async def send(self, mail: Mail) -> None:
        with self._metrics.effect("mail") as outcome:
            try:
                await self._mailer.send(mail)
            except MailRejected:
                outcome.word = "refused"
                raise
            except MailRefusedForNow:
                outcome.word = "serviceRefused"
                raise

    async def check(self) -> None:
        await self._mailer.check()


class InstrumentedSender:
    """Implements `CallbackSender`. Outcomes: `done` (the receiver accepted the callback), `failed`."""

    def __init__(self, sender: CallbackSender, metrics: WorkerMetrics) -> None:
        self._sender = sender
        self._metrics = metrics

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        with self._metrics.effect("callback") as outcome:
            attempt = await self._sender.send(url, headers, body)
            outcome.word = "done" if attempt.succeeded else "failed"
            return attempt


class InstrumentedSealer:
    """Implements `Sealer`. Outcomes: `done`, `failed`, `lower` (below the target level)."""

    def __init__(self, sealer: Sealer, metrics: WorkerMetrics) -> None:
        self._sealer = sealer
        self._metrics = metrics

    def reserved_bytes(self, statement: Statement) -> int:
        return self._sealer.reserved_bytes(statement)

    @property
    def trusted(self) -> TrustAnchors:
        return self._sealer.trusted

    @property
    def goal(self) -> SealLevel:
        return self._sealer.goal

    async def seal(self, prepared: PreparedPdf, statement: Statement) -> SealedPdf:
        with self._metrics.effect("sealing") as outcome:
            sealed = await self._sealer.seal(prepared, statement)
            outcome.word = "done" if sealed.level == self.goal else "lower"
            return sealed

    async def level_of(self, pdf: bytes) -> SealLevel:
        return await self._sealer.level_of(pdf)

    async def augment_seal(self, sealed: SealedPdf) -> SealedPdf:
        with self._metrics.effect("augmentation"):
            return await self._sealer.augment_seal(sealed)
