"""The worker process: what it takes at once, and how it ends."""

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
from activities.background_tasks import OverdueStarts, RunSweep, UploadSweep
from activities.erasure import ErasureActivities
from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from activities.mails import PauseMailActivities, SessionMailActivities
from activities.records import RecordActivities
from activities.signed_documents import DocumentActivities
from adapters.database.repositories.logos import DatabaseLogos
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.uploads import DatabaseUploads
from adapters.database.repositories.users import DatabaseUsers
from adapters.telemetry.metrics import WorkerMetrics
from adapters.temporal.history_deletion import TemporalHistories
from adapters.temporal.idle_slot_supplier import IdleSlotSupplier
from domain.callbacks.delivery import Attempt
from tests import ROOT
from tests.activities.office import Office, office
from tests.builders import NOON
from tests.databases import MemoryDatabase
from tests.fakes.mail import MemoryMailer
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.receivers import says
from tests.fakes.seals import SEALER
from tests.workflows.servers import dev_server
from tests.workflows.waiting import eventually
from worker import Activities, make_workers, running_workers
from workflows.client.deliveries import TemporalDeliveries
from workflows.client.namespace_check import QUEUES
from workflows.client.session_runs import TemporalRuns
from workflows.sdk.config import WorkerConfig


class Draining:
    """Ends a try once all that are under way were told to end, and the workers that are `idle` have ended."""

    def __init__(self, tries: int) -> None:
        self.idle: Sequence[Worker] = ()
        self.begun, self.ended = 0, 0
        self._told = asyncio.Barrier(tries)

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        self.begun += 1
        await activity.wait_for_worker_shutdown()
        await self._told.wait()
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


def effects(server: WorkflowEnvironment, made: Office, sender: Draining) -> Activities:
    """Returns all activities; only deliveries are used."""
    objects, mailer, pool = MemoryObjectStore(), MemoryMailer(), InlinePool()
    engine = MemoryDatabase().engine
    uploads = DatabaseUploads(engine)
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    return Activities(
        records=RecordActivities(made.rows, made.announcer, inviting),
        mails=inviting,
        documents=DocumentActivities(objects, pool, SEALER),
        erasure=ErasureActivities(made.rows, objects, TemporalHistories(server.client), b"", uploads),
        callbacks=replace(made.delivering, sender=sender),
        pause_mails=PauseMailActivities(
            DatabaseUsers(engine),
            DatabaseOrganisations(engine),
            DatabaseLogos(engine),
            mailer,
            "https://sign.example.com",
            None,
        ),
        dispatcher=made.announcer,
        overdue_starts=OverdueStarts(made.rows, TemporalRuns(server.client)),
        run_sweep=RunSweep(
            made.rows,
            TemporalRuns(server.client).find_without_run,
            WorkerMetrics(CollectorRegistry()).stopped.set,
        ),
        upload_sweep=UploadSweep(uploads, objects),
    )


@pytest.mark.temporal
async def test_at_the_end_no_queue_gives_anything_new_while_tries_of_another_are_under_way(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    sender = Draining(tries=2)
    async with office(tmp_path, says(204)) as (made, _):
        announced = (made.delivery, await made.announce_another())
        workers = make_workers(server.client, effects(server, made, sender), WorkerConfig())
        sender.idle = [worker for worker in workers if worker.task_queue in {SESSIONS_QUEUE, DOCUMENTS_QUEUE}]
        deliveries = TemporalDeliveries(server.client)
        async with running_workers(workers):
            for delivery, is_failing in zip(announced, (False, True), strict=True):
                await deliveries.start(delivery.model_copy(update={"is_failing": is_failing}))
            await eventually(sender.count, lambda begun: begun == 2)

    assert len(sender.idle) == 2
    assert sender.ended == 2


@pytest.mark.temporal
async def test_a_worker_that_does_not_end_is_left_behind(
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
async def test_each_queue_does_as_much_at_once_as_its_setting_says(server: WorkflowEnvironment, tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, _):
        worker_config = WorkerConfig(sessions=7, documents=3, callbacks=11, sessions_cached=13)
        workers = make_workers(server.client, effects(server, made, Draining(1)), worker_config)

    assert {worker.task_queue: at_once(worker) for worker in workers} == {
        SESSIONS_QUEUE: 7,
        DOCUMENTS_QUEUE: 3,
        CALLBACKS_QUEUE: 11,
        FAILING_QUEUE: 11,
    }
    assert [
        worker.config().get("max_cached_workflows") for worker in workers if worker.task_queue == SESSIONS_QUEUE
    ] == [13]


def test_the_documentation_names_every_queue() -> None:
    result = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert [queue for queue in QUEUES if f"`{queue}`" not in result.split("### Task queues")[1]] == []


def at_once(worker: Worker) -> int | None:
    """Returns how many activities it does at the same time."""
    config = worker.config()
    tuner = config.get("tuner")
    if tuner is None:
        return config.get("max_concurrent_activities")
    supplier = tuner._get_activity_task_slot_supplier()
    assert isinstance(supplier, IdleSlotSupplier)
    return supplier._free._value
