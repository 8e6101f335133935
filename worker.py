"""`python -m worker`: runs workflows and activities until SIGTERM or SIGINT, then lets those under way end.

It serves the task queues that the settings name; stamping happens in its pool of child processes.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
import uvloop
from temporalio.client import Client, Interceptor
from temporalio.common import VersioningBehavior, WorkerDeploymentVersion
from temporalio.service import RPCError
from temporalio.worker import (
    FixedSizeSlotSupplier,
    UnsandboxedWorkflowRunner,
    Worker,
    WorkerDeploymentConfig,
    WorkerTuner,
)

from activities.background_tasks import repeated
from activities.callback_dispatcher import CallbackDispatcher
from activities.callback_values import CallbackValues
from activities.callbacks import Delivering
from activities.erasure import Erasing
from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from activities.left_starts import START_EVERY, LeftStarts
from activities.pause_mails import Alerting
from activities.records import Recording
from activities.run_sweep import SWEEP_EVERY as RUNS_EVERY
from activities.run_sweep import RunSweep
from activities.seal_augmentation import SealAugmentation
from activities.session_mails import Inviting
from activities.signed_documents import Generating
from activities.upload_sweep import SWEEP_EVERY, UploadSweep
from adapters.database.engine import make_engine, migrate
from adapters.database.repositories.callback_outbox import DatabaseAnnouncements
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.repositories.logos import DatabaseLogos
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.uploads import DatabaseUploads
from adapters.database.repositories.users import DatabaseUsers
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.keys.key_folder import ensure_all
from adapters.keys.secret_keys import ensure_webhook_key
from adapters.mail.factory import open_mailer
from adapters.object_store.factory import open_object_store
from adapters.object_store.self_test import check_at_start
from adapters.processes.pool import SpawnedPool
from adapters.processes.run import live
from adapters.sealing.factory import SEALING, open_sealer
from adapters.telemetry.instrumented import MeteredMailer, MeteredSealer, MeteredSender
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.metrics import WorkerMetrics
from adapters.temporal.history_deletion import TemporalHistories
from adapters.temporal.idle_slot_supplier import IdleSlotSupplier, until_calm
from adapters.temporal.telemetry import open_telemetry
from adapters.webhooks.http_sender import HttpSender
from domain.shared.errors import ConfigError
from domain.shared.version import VERSION
from settings import Settings
from workflows.client.deliveries import TemporalDeliveries
from workflows.client.namespace_check import unusable
from workflows.client.pause_warnings import TemporalWarnings
from workflows.client.session_runs import TemporalRuns
from workflows.sdk.config import Shifts, TemporalConfig
from workflows.sdk.connection import connect
from workflows.sdk.safe_updates import SafeUpdates
from workflows.session import search_attributes
from workflows.workflow_types import DELIVERIES, WORKFLOWS

log = structlog.get_logger(__name__)

GRACE = timedelta(seconds=20)
"""How long activities under way may take to end when the worker is stopped; what does not is done by another."""

ENDING = GRACE + timedelta(seconds=3)
"""After which a worker is left behind with the process: the SDK has been seen to wait for ever at the very end."""

STICKY_TIMEOUT = timedelta(seconds=5)
"""How long a step waits for the worker that remembers the session. Any other one reads the whole history first, which
is more work where a worker is short of time; of one that was killed, the first act waits as long (default: 10 s)."""

FAILING_AT_ONCE = 10
"""Steps of deliveries to receivers that fail which are taken at the same time; each is over in a moment."""

BEGINNING_PATIENCE = 10.0
"""Seconds after which a delivery to a receiver that fails is begun on a machine that stays busy."""

DELIVERIES_CACHED = 50
"""Deliveries that are remembered between two tries; most wait for hours, and are quickly read again."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The activities with their collaborators."""

    recording: Recording
    inviting: Inviting
    generating: Generating
    raising: SealAugmentation
    erasing: Erasing
    delivering: Delivering
    alerting: Alerting
    announcer: CallbackDispatcher
    left_starts: LeftStarts
    run_sweep: RunSweep
    upload_sweep: UploadSweep


def make_workers(client: Client, effects: Effects, shifts: Shifts) -> tuple[Worker, ...]:
    """One worker for sessions and short effects, one for documents, two for callbacks; those that are asked for."""
    return tuple(_workers(client, effects, shifts))


def _workers(client: Client, effects: Effects, shifts: Shifts) -> Iterator[Worker]:
    for_all: dict[str, Any] = {
        "graceful_shutdown_timeout": GRACE,
        "deployment_config": deployment_of(shifts),
        # The sandbox finds code that would not replay, which tests do with it. It takes a sixth of a worker's time.
        "workflow_runner": UnsandboxedWorkflowRunner(),
    }
    if "sessions" in shifts.queues:
        yield _sessions(client, effects, shifts, for_all)
    if "documents" in shifts.queues:
        yield Worker(
            client,
            task_queue=DOCUMENTS_QUEUE,
            activities=[effects.generating.generate_document, effects.raising.augment_seal],
            max_concurrent_activities=shifts.documents,
            **for_all,
        )
    if "callbacks" in shifts.queues:
        yield Worker(
            client,
            task_queue=CALLBACKS_QUEUE,
            workflows=DELIVERIES,
            activities=[effects.delivering.deliver_callback, effects.delivering.stop_callback],
            max_concurrent_activities=shifts.callbacks,
            max_cached_workflows=DELIVERIES_CACHED,
            **for_all,
        )
        yield _failing(client, effects.delivering, shifts, for_all)


def _sessions(client: Client, effects: Effects, shifts: Shifts, for_all: dict[str, Any]) -> Worker:
    return Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=WORKFLOWS,
        activities=[
            effects.recording.record_and_send,
            effects.recording.record_session,
            effects.inviting.send_invitation,
            effects.inviting.send_reminder,
            effects.inviting.send_outcome_mail,
            effects.erasing.erase_objects,
            effects.erasing.erase_histories,
            effects.erasing.issue_receipt,
            effects.alerting.list_users,
            effects.alerting.send_pause_mail,
        ],
        interceptors=[SafeUpdates()],
        max_concurrent_activities=shifts.sessions,
        max_cached_workflows=shifts.sessions_cached,
        sticky_queue_schedule_to_start_timeout=STICKY_TIMEOUT,
        **for_all,
    )


def _failing(client: Client, delivering: Delivering, shifts: Shifts, for_all: dict[str, Any]) -> Worker:
    """The worker for deliveries to receivers that fail, which lets the others go first."""
    return Worker(
        client,
        task_queue=FAILING_QUEUE,
        workflows=DELIVERIES,
        activities=[delivering.deliver_callback, delivering.stop_callback],
        tuner=WorkerTuner.create_composite(
            workflow_supplier=IdleSlotSupplier(FAILING_AT_ONCE),
            activity_supplier=IdleSlotSupplier(shifts.callbacks),
            local_activity_supplier=FixedSizeSlotSupplier(1),
            nexus_supplier=FixedSizeSlotSupplier(1),
        ),
        max_cached_workflows=DELIVERIES_CACHED,
        **for_all,
    )


@asynccontextmanager
async def at_work(workers: Sequence[Worker]) -> AsyncIterator[None]:
    """Has them work; at the end none takes anything new while another ends what is under way.

    One that has not ended after `ENDING` is left behind, with a line in the log.
    """
    async with AsyncExitStack() as running:
        for worker in workers:
            await worker.__aenter__()
            running.push_async_exit(partial(_leave, worker))
        try:
            yield
        finally:
            ends = [asyncio.create_task(worker.shutdown()) for worker in workers]
            await asyncio.wait(ends, timeout=ENDING.total_seconds())


async def _leave(worker: Worker, kind: type[BaseException] | None, *failure: object) -> None:
    if worker.is_shutdown:
        await worker.__aexit__(kind, *failure)
    else:
        log.warning("a worker did not end and is left behind", queue=worker.task_queue)


def deployment_of(shifts: Shifts) -> WorkerDeploymentConfig | None:
    """Sessions live for years: they go on under whichever version is the current one, and are pinned to none."""
    if shifts.deployment is None or shifts.build is None:
        return None
    return WorkerDeploymentConfig(
        version=WorkerDeploymentVersion(shifts.deployment, shifts.build),
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.AUTO_UPGRADE,
    )


@asynccontextmanager
async def open_effects(settings: Settings, client: Client, figures: WorkerMetrics) -> AsyncIterator[Effects]:
    """The activities on the engines that the settings name."""
    keys = ensure_all(settings.data_dir / "keys", has_local_seal=settings.seal_key is None)
    await migrate(settings.database_address)
    engine = make_engine(settings.database_address, settings.database_limits)
    pool = SpawnedPool(settings.pool_processes, warm_modules=("layout.engine", "layout.pdf.existing_file", *SEALING))
    rows = DatabaseSessionRows(engine)
    logos, uploads = DatabaseLogos(engine), DatabaseUploads(engine)
    objects = open_object_store(settings.object_store, settings.data_dir / "objects", keys.download, settings.base_url)
    await check_at_start(objects)
    delivering = Delivering(
        DatabaseCallbacks(engine),
        DatabaseWebhookSecrets(engine, ensure_webhook_key(settings.data_dir / "keys")),
        MeteredSender(HttpSender(private=settings.private_callbacks), figures),
        TemporalWarnings(client),
        CallbackValues(rows, objects),
    )
    announcer = CallbackDispatcher(
        DatabaseAnnouncements(engine),
        TemporalDeliveries(client),
        delivering,
        partial(until_calm, BEGINNING_PATIENCE),
        settings.worker_config.callbacks,
    )
    sealer = MeteredSealer(await open_sealer(settings.seal, settings.data_dir / "keys", pool), figures)
    mailer = open_mailer(settings.mail_server, settings.data_dir / "outbox", settings.mail_from)
    mailer = MeteredMailer(mailer, figures)
    inviting = Inviting(mailer, keys.link, settings.base_url, logos)
    try:
        yield Effects(
            recording=Recording(rows, announcer, inviting),
            inviting=inviting,
            generating=Generating(objects, pool, sealer),
            raising=SealAugmentation(objects, sealer),
            erasing=Erasing(rows, objects, TemporalHistories(client), keys.receipt, uploads),
            delivering=delivering,
            alerting=Alerting(
                DatabaseUsers(engine),
                DatabaseOrganisations(engine),
                logos,
                mailer,
                settings.base_url,
                settings.sender_email,
            ),
            announcer=announcer,
            left_starts=LeftStarts(rows, TemporalRuns(client)),
            run_sweep=RunSweep(rows, TemporalRuns(client), figures.stopped),
            upload_sweep=UploadSweep(uploads, objects),
        )
    finally:
        await pool.close()
        await engine.dispose()


async def connect_to_work(choice: TemporalConfig, interceptors: Sequence[Interceptor]) -> Client:
    """A client of a namespace that has the search attributes of sessions.

    Raises:
        ConfigError: Temporal does not answer, refuses, or has no such namespace; the message says which.
    """
    try:
        client = await connect(choice, interceptors=interceptors)
        await search_attributes.ensure_registered(client)
    except (RPCError, RuntimeError) as error:
        raise ConfigError(str(unusable(error, choice))) from error
    return client


async def work(settings: Settings) -> None:
    """Works until a signal to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as telling:
        telemetry = telling.enter_context(open_telemetry(os.environ))
        is_ready = asyncio.Event()
        await telling.enter_async_context(telemetry.served(settings.worker_address, is_ready.is_set))
        client = await connect_to_work(settings.temporal, telemetry.interceptors)
        effects = await telling.enter_async_context(open_effects(settings, client, telemetry.figures))
        workers = make_workers(client, effects, settings.worker_config)
        if "callbacks" in settings.worker_config.queues:
            await telling.enter_async_context(effects.announcer.running())
        starts, sweep = effects.left_starts.start_due, effects.upload_sweep.sweep_now
        await telling.enter_async_context(repeated(starts, START_EVERY, "runs are started later"))
        await telling.enter_async_context(repeated(sweep, SWEEP_EVERY, "unused uploads are deleted later"))
        await telling.enter_async_context(repeated(effects.run_sweep.sweep_on, RUNS_EVERY, "runs are looked at later"))
        async with at_work(workers):
            is_ready.set()
            log.info("worker is ready", version=VERSION, queues=[worker.task_queue for worker in workers])
            await stop.wait()
            is_ready.clear()
            log.info("worker is stopping")
            effects.announcer.stop()


def main() -> None:
    configure_logs()
    live(lambda: work(Settings.read_for_server()), "the worker could not go on", uvloop.new_event_loop)


if __name__ == "__main__":
    main()
