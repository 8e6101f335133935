"""What is counted of effects, and the port at which a worker says so."""

import asyncio
import json
import socket
from contextlib import nullcontext
from typing import Any, cast

import httpx
import pytest
from prometheus_client import CollectorRegistry

from adapters.telemetry.metrics import InstrumentedMailer, InstrumentedSealer, InstrumentedSender, WorkerMetrics
from adapters.telemetry.worker_server import serve_metrics
from domain.callbacks.delivery_schedule import Attempt
from domain.ports.mail import MailNotSent, MailRejected
from domain.ports.seals import SealedPdf
from domain.seal.seal import Sample, SealLevel
from domain.shared.errors import ConfigError
from domain.shared.version import VERSION
from tests.builders import NOON


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


class Effect:
    """A mailer, a sender and a sealer in one: returns `result`, or raises it."""

    def __init__(self, result: object, goal: SealLevel = SealLevel.B_B) -> None:
        self.result, self.goal = result, goal

    async def send(self, *_: object) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    seal = send


def attempt(error: str | None) -> Attempt:
    return Attempt(at=NOON, status_code=200, error=error, duration_ms=3)


SEALED = SealedPdf(pdf=b"", level=SealLevel.B_B)


@pytest.mark.parametrize(
    ("effect", "outcome", "fake"),
    [
        ("mail", "done", Effect(None)),
        ("mail", "failed", Effect(MailNotSent("later"))),
        ("mail", "refused", Effect(MailRejected("never"))),
        ("callback", "done", Effect(attempt(None))),
        ("callback", "failed", Effect(attempt("the receiver answered 500"))),
        ("sealing", "done", Effect(SEALED)),
        ("sealing", "lower", Effect(SEALED, SealLevel.B_T)),
    ],
)
async def test_effects_are_counted_by_outcome(
    registry: CollectorRegistry, effect: str, outcome: str, fake: Any
) -> None:
    metrics, argument = WorkerMetrics(registry), cast(Any, None)
    calls = {
        "mail": lambda: InstrumentedMailer(fake, metrics).send(argument),
        "callback": lambda: InstrumentedSender(fake, metrics).send("https://example.com", {}, b""),
        "sealing": lambda: InstrumentedSealer(fake, metrics).seal(argument, Sample()),
    }
    with pytest.raises(type(fake.result)) if isinstance(fake.result, Exception) else nullcontext():
        await calls[effect]()

    labels = {"effect": effect, "outcome": outcome}
    assert registry.get_sample_value("undersign_effect_duration_seconds_count", labels) == 1


async def test_a_worker_serves_its_metrics_and_those_of_the_sdk(registry: CollectorRegistry) -> None:
    WorkerMetrics(registry).waits.labels("sessions").observe(0.2)

    with serve_metrics(("127.0.0.1", 0), registry, lambda: "temporal_num_pollers 4\n", lambda: True) as port:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            metrics, alive, other = [await http.get(path) for path in ("/metrics", "/healthz", "/")]

    assert 'undersign_activity_queue_seconds_count{queue="sessions"} 1.0' in metrics.text.splitlines()
    assert metrics.text.endswith("temporal_num_pollers 4\n")
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


async def test_a_port_in_use_is_reported_in_one_line(registry: CollectorRegistry) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with (
            pytest.raises(ConfigError, match="UNDERSIGN_WORKER_PORT"),
            serve_metrics(("127.0.0.1", taken.getsockname()[1]), registry, str, lambda: True),
        ):
            await asyncio.sleep(0)
