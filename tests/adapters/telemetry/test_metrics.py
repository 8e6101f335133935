"""What is counted of effects, and the port at which a worker says so."""

import asyncio
import json
import socket
from typing import Any

import httpx
import pytest
from prometheus_client import CollectorRegistry

from adapters.telemetry.metrics import InstrumentedMailer, InstrumentedSealer, InstrumentedSender, WorkerMetrics
from adapters.telemetry.metrics_server import serve_metrics
from domain.callbacks.retries_and_pauses import Attempt
from domain.seal.seal import Sample, SealLevel
from domain.shared.errors import ConfigError
from domain.shared.version import VERSION
from ports.mail import Mail, MailNotSent, MailRejected
from ports.sealing import SealedPdf


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def figures(registry: CollectorRegistry) -> WorkerMetrics:
    return WorkerMetrics(registry)


def count(registry: CollectorRegistry, effect: str, outcome: str) -> float | None:
    labels = {"effect": effect, "outcome": outcome}
    return registry.get_sample_value("undersign_effect_duration_seconds_count", labels)


class Post:
    """A mailer that does as told."""

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    async def send(self, _: Mail) -> None:
        if self._error:
            raise self._error


@pytest.mark.parametrize(
    ("error", "outcome"), [(None, "done"), (MailNotSent("later"), "failed"), (MailRejected("never"), "refused")]
)
async def test_mails_are_counted_by_how_they_went(
    registry: CollectorRegistry, figures: WorkerMetrics, error: Exception | None, outcome: str
) -> None:
    mail: Any = None
    mailer = InstrumentedMailer(Post(error), figures)

    if error:
        with pytest.raises(type(error)):
            await mailer.send(mail)
    else:
        await mailer.send(mail)

    assert count(registry, "mail", outcome) == 1


@pytest.mark.parametrize(("error", "outcome"), [(None, "done"), ("the receiver answered 500", "failed")])
async def test_callbacks_are_done_when_the_receiver_took_them(
    registry: CollectorRegistry, figures: WorkerMetrics, error: str | None, outcome: str
) -> None:
    class Answers:
        async def send(self, *_: Any) -> Attempt:
            return Attempt.model_validate(
                {"at": "2026-06-12T10:30:00Z", "status_code": 200, "error": error, "duration_ms": 3}
            )

    await InstrumentedSender(Answers(), figures).send("https://example.com", {}, b"")

    assert count(registry, "callback", outcome) == 1


@pytest.mark.parametrize(("goal", "outcome"), [(SealLevel.B_B, "done"), (SealLevel.B_T, "lower")])
async def test_a_seal_below_its_goal_is_told_apart(
    registry: CollectorRegistry, figures: WorkerMetrics, goal: SealLevel, outcome: str
) -> None:
    class Seals:
        def __init__(self) -> None:
            self.goal = goal

        async def seal(self, *_: Any) -> SealedPdf:
            return SealedPdf(pdf=b"", level=SealLevel.B_B)

    sealer: Any = Seals()
    prepared: Any = None
    await InstrumentedSealer(sealer, figures).seal(prepared, Sample())

    assert count(registry, "sealing", outcome) == 1


async def test_a_worker_tells_its_figures_and_those_of_the_sdk(registry: CollectorRegistry) -> None:
    WorkerMetrics(registry).waits.labels("sessions").observe(0.2)

    with serve_metrics(("127.0.0.1", 0), registry, lambda: "temporal_num_pollers 4\n", lambda: True) as port:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            told, alive, other = [await http.get(path) for path in ("/metrics", "/healthz", "/")]

    assert 'undersign_activity_queue_seconds_count{queue="sessions"} 1.0' in told.text.splitlines()
    assert told.text.endswith("temporal_num_pollers 4\n")
    assert (alive.status_code, json.loads(alive.content)) == (200, {"status": "alive", "version": VERSION})
    assert other.status_code == 404


async def test_a_worker_that_is_not_ready_answers_503(registry: CollectorRegistry) -> None:
    is_ready = asyncio.Event()

    with serve_metrics(("127.0.0.1", 0), registry, str, is_ready.is_set) as port:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            starting = await http.get("/healthz")
            is_ready.set()
            alive = await http.get("/healthz")

    assert (starting.status_code, starting.json()["status"]) == (503, "starting")
    assert (alive.status_code, alive.json()["status"]) == (200, "alive")


async def test_a_port_that_is_taken_is_told_in_one_line(registry: CollectorRegistry) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with (
            pytest.raises(ConfigError, match="UNDERSIGN_WORKER_PORT"),
            serve_metrics(("127.0.0.1", taken.getsockname()[1]), registry, str, lambda: True),
        ):
            await asyncio.sleep(0)
