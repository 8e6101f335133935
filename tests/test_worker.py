"""The worker process: its limits, and its end."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs
from temporalio import activity
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

import worker as worker_module
from activities.interface import BATCHES_QUEUE, CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from adapters.telemetry.metrics import WorkerMetrics
from adapters.temporal.idle_slot_supplier import IdleSlotSupplier
from config.settings import Settings
from domain.callbacks.delivery_schedule import Attempt
from tests import ROOT
from tests.activities.office import office
from tests.builders import NOON
from tests.fakes.receivers import says
from tests.workflows.servers import dev_server
from tests.workflows.waiting import eventually
from worker import Activities, build_activities, make_workers, running_workers
from workflows.client.deliveries import TemporalDeliveries
from workflows.client.namespace_check import QUEUES
from workflows.sdk.worker_config import WorkerConfig

SMALL_WORKER = WorkerConfig(
    ("sessions", "documents", "callbacks"), sessions=7, documents=3, callbacks=11, sessions_cached=13
)


class Draining:
    """Ends a delivery attempt once all attempts are asked to end, and the `idle` workers have ended."""

    def __init__(self, tries: int) -> None:
        self.idle: Sequence[Worker] = ()
        self.begun, self.ended = 0, 0
        self._shutdown = asyncio.Barrier(tries)

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        self.begun += 1
        await activity.wait_for_worker_shutdown()
        await self._shutdown.wait()
        await eventually(self._idle_have_ended, bool)
        self.ended += 1
        return Attempt(at=NOON, status_code=204, error=None, duration_ms=1)

    async def _idle_have_ended(self) -> bool:
        return all(worker.is_shutdown for worker in self.idle)

    async def count(self) -> int:
        return self.begun


@activity.defn
async def nothing() -> None:
    """For a worker that needs one."""


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server() as environment:
        yield environment


@pytest.fixture(scope="module")
async def built(server: WorkflowEnvironment, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Activities]:
    settings = Settings.read({"UNDERSIGN_DATA_DIR": str(tmp_path_factory.mktemp("data"))})
    async with build_activities(settings, server.client, WorkerMetrics(CollectorRegistry())) as activities:
        yield activities


@pytest.mark.temporal
async def test_at_the_end_no_queue_gives_anything_new_while_tries_of_another_are_under_way(
    server: WorkflowEnvironment, built: Activities, tmp_path: Path
) -> None:
    sender = Draining(tries=2)
    async with office(tmp_path, says(204)) as (team, _):
        deliveries = (team.delivery, await team.announce_another())
        workers = make_workers(
            server.client, replace(built, callbacks=replace(team.delivering, sender=sender)), SMALL_WORKER
        )
        sender.idle = [worker for worker in workers if worker.task_queue in {SESSIONS_QUEUE, DOCUMENTS_QUEUE}]
        async with running_workers(workers):
            for delivery, is_failing in zip(deliveries, (False, True), strict=True):
                failing = delivery.model_copy(update={"is_failing": is_failing})
                await TemporalDeliveries(server.client).start(failing)
            await eventually(sender.count, lambda begun: begun == 2)

    assert len(sender.idle) == 2
    assert sender.ended == 2


@pytest.mark.temporal
async def test_a_worker_that_does_not_stop_is_abandoned(
    server: WorkflowEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "SHUTDOWN_LIMIT", timedelta(seconds=1))
    hung, well = (Worker(server.client, task_queue=queue, activities=[nothing]) for queue in ("hung", "well"))
    monkeypatch.setattr(hung._bridge_worker, "finalize_shutdown", asyncio.Event().wait)

    with capture_logs() as logs:
        async with asyncio.timeout(30), running_workers((hung, well)):
            await asyncio.sleep(0)

    assert (hung.is_shutdown, well.is_shutdown) == (False, True)
    assert logs == [{"event": "a worker did not stop and is abandoned", "queue": "hung", "log_level": "warning"}]


@pytest.mark.temporal
async def test_each_queue_does_as_much_at_once_as_its_setting_says(
    server: WorkflowEnvironment, built: Activities
) -> None:
    workers = {worker.task_queue: worker for worker in make_workers(server.client, built, SMALL_WORKER)}

    assert {queue: concurrency_of(worker) for queue, worker in workers.items()} == {
        SESSIONS_QUEUE: 7,
        DOCUMENTS_QUEUE: 3,
        BATCHES_QUEUE: 3,
        CALLBACKS_QUEUE: 11,
        FAILING_QUEUE: 11,
    }
    assert workers[SESSIONS_QUEUE].config().get("max_cached_workflows") == 13


def test_the_documentation_names_every_queue() -> None:
    result = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert [queue for queue in QUEUES if f"`{queue}`" not in result.split("### Task queues")[1]] == []


def concurrency_of(worker: Worker) -> int | None:
    """Returns how many activities it runs at the same time."""
    config = worker.config()
    tuner = config.get("tuner")
    if tuner is None:
        return config.get("max_concurrent_activities")
    supplier = tuner._get_activity_task_slot_supplier()
    assert isinstance(supplier, IdleSlotSupplier)
    return supplier._free._value
