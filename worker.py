"""`python -m worker`: runs workflows and activities until SIGTERM or SIGINT, then waits for running activities.

The worker serves the task queues that the settings name; stamping runs in a pool of child processes.
"""

from adapters.processes.stop_signals import STOP_SIGNALS, end_at_stop_signals

if __name__ == "__main__":
    end_at_stop_signals()

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
import uvloop
from sqlalchemy.ext.asyncio import AsyncEngine
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

from activities.batches import BatchActivities
from activities.callback_dispatcher import CallbackDispatcher, DispatchLimits
from activities.callbacks import CallbackActivities
from activities.count_stuck_sessions import StuckSessions
from activities.erasure import ErasureActivities
from activities.interface import BATCHES_QUEUE, CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from activities.maintenance import (
    RUN_SWEEP_EVERY,
    START_EVERY,
    UPLOAD_SWEEP_EVERY,
    OverdueStarts,
    RunSweep,
    UploadSweep,
    run_periodically,
)
from activities.observe_installation import OBSERVE_EVERY, InstallationObserver
from activities.send_mails import DeletionMailActivities, PauseMailActivities, SessionMailActivities
from activities.session_records import RecordActivities
from activities.signed_documents import DocumentActivities
from adapters.database.engine import make_engine
from adapters.database.repositories.batches import DatabaseBatches
from adapters.database.repositories.callback_outbox import DatabaseCallbackOutbox
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.repositories.oauth_grants import DatabaseGrants
from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.templates import DatabaseTemplates
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages, DatabaseUploads
from adapters.database.repositories.users import DatabaseUsers
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.database.schema_migration import migrate
from adapters.keys.secret_keys import ensure_key
from adapters.mail.smtp import open_mailer
from adapters.processes.pool import ForkServerPool
from adapters.processes.run import run_process
from adapters.sealing.factory import SEALING, open_sealer
from adapters.sealing.sealer import Verification
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.metrics import InstrumentedMailer, InstrumentedSealer, InstrumentedSender, WorkerMetrics
from adapters.telemetry.outages import OutageLog
from adapters.temporal.idle_slot_supplier import IdleSlotSupplier, wait_until_idle
from adapters.temporal.worker_telemetry import open_telemetry
from adapters.webhooks.http_sender import HttpSender
from application.documents.verify import check_file, compare_following_pages
from application.services import SessionServices
from application.session_actions import SessionActions
from application.sessions.download import verify_url
from config.installation import join_installation
from config.production_checks import read_for_server
from config.settings import Settings
from domain.ports.object_store import ObjectStore
from domain.ports.process_pool import ProcessPool
from domain.shared.errors import ConfigError
from domain.shared.version import VERSION
from workflows.client.deliveries import TemporalDeliveries, start_pause_warning
from workflows.client.histories import TemporalHistories
from workflows.client.namespace_check import (
    WATCH_EVERY,
    NamespaceReader,
    TemporalTaskQueues,
    ensure_search_attributes,
    read_namespace,
    to_temporal_unusable,
    watch_namespace,
)
from workflows.client.replay_check import check_version
from workflows.client.runs import TemporalBatchRuns, TemporalRuns
from workflows.sdk.connection import connect
from workflows.sdk.interceptors import SafeUpdates
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.sdk.worker_config import (
    CACHED_DELIVERIES,
    FAILING_WORKFLOW_SLOTS,
    IDLE_PATIENCE,
    SHUTDOWN_GRACE,
    SHUTDOWN_LIMIT,
    STICKY_TIMEOUT,
    WorkerConfig,
)
from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOWS

VERIFICATION = Verification(check_file, compare_following_pages)
"""What each sealed PDF must pass before it is announced."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Activities:
    """The activities and background tasks of a worker."""

    records: RecordActivities
    mails: SessionMailActivities
    documents: DocumentActivities
    erasure: ErasureActivities
    deletion_mails: DeletionMailActivities
    callbacks: CallbackActivities
    pause_mails: PauseMailActivities
    dispatcher: CallbackDispatcher
    batches: BatchActivities
    overdue_starts: OverdueStarts
    run_sweep: RunSweep
    observer: InstallationObserver
    upload_sweep: UploadSweep


def make_workers(client: Client, activities: Activities, config: WorkerConfig) -> tuple[Worker, ...]:
    """Creates the workers of the configured queues: one for sessions, two for documents and two for callbacks."""
    common: dict[str, Any] = {
        "graceful_shutdown_timeout": SHUTDOWN_GRACE,
        "deployment_config": deployment_config(config.deployment, config.build),
        # Only tests use the sandbox, which detects code that would not replay. It takes a sixth of a worker's time.
        "workflow_runner": UnsandboxedWorkflowRunner(),
    }
    deliveries: dict[str, Any] = {
        "workflows": CALLBACK_WORKFLOWS,
        "activities": [activities.callbacks.deliver_callback, activities.callbacks.stop_callback],
        "max_cached_workflows": CACHED_DELIVERIES,
    }
    rows = [activities.batches.check_rows, activities.batches.create_rows]
    workers: dict[str, list[dict[str, Any]]] = {
        "sessions": [_session_options(activities, config)],
        "documents": [
            {
                "task_queue": DOCUMENTS_QUEUE,
                "activities": [
                    activities.documents.generate_document,
                    activities.documents.augment_seal,
                    *rows,  # tasks of earlier versions
                ],
                "max_concurrent_activities": config.documents,
            },
            {"task_queue": BATCHES_QUEUE, "activities": rows, "max_concurrent_activities": config.documents},
        ],
        "callbacks": [
            {"task_queue": CALLBACKS_QUEUE, "max_concurrent_activities": config.callbacks, **deliveries},
            # Deliveries to failing receivers wait until the machine is idle.
            {"task_queue": FAILING_QUEUE, "tuner": _idle_tuner(config), **deliveries},
        ],
    }
    chosen = [options for queue, all_options in workers.items() if queue in config.queues for options in all_options]
    return tuple(Worker(client, **common, **options) for options in chosen)


def _session_options(activities: Activities, config: WorkerConfig) -> dict[str, Any]:
    return {
        "task_queue": SESSIONS_QUEUE,
        "workflows": WORKFLOWS,
        "activities": [
            activities.records.record_and_send,
            activities.records.record_session,
            activities.mails.send_invitation,
            activities.mails.send_reminder,
            activities.mails.send_outcome_mail,
            activities.deletion_mails.send_deletion_mails,
            activities.erasure.erase_objects,
            activities.erasure.erase_histories,
            activities.erasure.issue_receipt,
            activities.pause_mails.list_users,
            activities.pause_mails.send_pause_mail,
            activities.batches.record_batch,
        ],
        "interceptors": [SafeUpdates()],
        "max_concurrent_activities": config.sessions,
        "max_cached_workflows": config.sessions_cached,
        "sticky_queue_schedule_to_start_timeout": STICKY_TIMEOUT,
    }


def _idle_tuner(config: WorkerConfig) -> WorkerTuner:
    return WorkerTuner.create_composite(
        workflow_supplier=IdleSlotSupplier(FAILING_WORKFLOW_SLOTS),
        activity_supplier=IdleSlotSupplier(config.callbacks),
        local_activity_supplier=FixedSizeSlotSupplier(1),
        nexus_supplier=FixedSizeSlotSupplier(1),
    )


@asynccontextmanager
async def running_workers(workers: Sequence[Worker]) -> AsyncIterator[None]:
    """Runs the workers for the duration of the block. At its end they take no new tasks and complete running ones.

    A worker that has not stopped after `SHUTDOWN_LIMIT` is abandoned and logged.
    """
    async with AsyncExitStack() as running:
        for worker in workers:
            await worker.__aenter__()
            running.push_async_exit(partial(_shut_down, worker))
        try:
            yield
        finally:
            shutdowns = [asyncio.create_task(worker.shutdown()) for worker in workers]
            await asyncio.wait(shutdowns, timeout=SHUTDOWN_LIMIT.total_seconds())


async def _shut_down(worker: Worker, kind: type[BaseException] | None, *failure: object) -> None:
    if worker.is_shutdown:
        await worker.__aexit__(kind, *failure)
    else:
        log.warning("a worker did not stop and is abandoned", queue=worker.task_queue)


def deployment_config(name: str | None, build: str | None) -> WorkerDeploymentConfig | None:
    """Returns the worker versioning options, or None. Running sessions always move to the current version."""
    if name is None or build is None:
        return None
    return WorkerDeploymentConfig(
        version=WorkerDeploymentVersion(name, build),
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.AUTO_UPGRADE,
    )


@asynccontextmanager
async def build_activities(settings: Settings, client: Client, metrics: WorkerMetrics) -> AsyncIterator[Activities]:
    """Yields the activities, which use the backends that the settings name. Migrates the database."""
    await migrate(settings.database_address)
    engine = make_engine(settings.database_address, settings.database_limits)
    installation = await join_installation(settings, engine, NamespaceReader(client))
    keys, objects = installation.keys, installation.objects
    pool = ForkServerPool(settings.pool_processes, warm_modules=("layout.engine", "layout.pdf.compare_pages", *SEALING))
    rows, runs = DatabaseSessionRows(engine), TemporalRuns(client)
    identities, uploads = DatabaseSenderIdentities(engine), DatabaseUploads(engine)
    callbacks = CallbackActivities(
        DatabaseCallbacks(engine),
        DatabaseWebhookSecrets(engine, ensure_key(settings.data_dir / "keys", "webhook.key")),
        InstrumentedSender(HttpSender(private=settings.private_callbacks), metrics),
        partial(start_pause_warning, client),
        rows,
        objects,
    )
    dispatcher = CallbackDispatcher(
        DatabaseCallbackOutbox(engine),
        TemporalDeliveries(client),
        callbacks,
        partial(wait_until_idle, IDLE_PATIENCE),
        DispatchLimits(at_once=settings.worker_config.callbacks),
    )
    pades = await open_sealer(settings.seal, settings.data_dir / "keys", pool, VERIFICATION)
    sealer = InstrumentedSealer(pades, metrics)
    mailer = InstrumentedMailer(
        open_mailer(settings.mail_server, settings.data_dir / "outbox", settings.mail_from, settings.mail_greeting),
        metrics,
    )
    batches, queues = DatabaseBatches(engine), TemporalTaskQueues(client)
    stuck = StuckSessions(runs.retries, queues.failing_runs, metrics.show_stuck)
    users, organisations = DatabaseUsers(engine), DatabaseOrganisations(engine)
    mails = SessionMailActivities(mailer, keys.link, settings.base_url, identities, users, organisations)
    try:
        yield Activities(
            records=RecordActivities(rows, dispatcher, mails),
            mails=mails,
            documents=DocumentActivities(objects, pool, sealer, verify_url(settings.base_url)),
            erasure=ErasureActivities(rows, objects, TemporalHistories(client), keys.receipt, uploads),
            deletion_mails=DeletionMailActivities(rows, mailer, identities),
            callbacks=callbacks,
            pause_mails=PauseMailActivities(
                users, organisations, identities, mailer, settings.base_url, settings.sender_email
            ),
            dispatcher=dispatcher,
            batches=BatchActivities(batches, _session_services(settings, engine, runs, objects, pool)),
            overdue_starts=OverdueStarts(rows, runs, batches, TemporalBatchRuns(client), metrics.failed_starts.inc),
            run_sweep=RunSweep(rows, runs.find_without_run, metrics.stopped.set, stuck),
            observer=InstallationObserver(
                metrics, queues.failing_runs, pades.ends_at, None if settings.object_store else settings.data_dir
            ),
            upload_sweep=UploadSweep(uploads, objects),
        )
    finally:
        await pool.close()
        await engine.dispose()


def _session_services(
    settings: Settings, engine: AsyncEngine, runs: TemporalRuns, objects: ObjectStore, pool: ProcessPool
) -> SessionServices:
    """Returns the services that create the sessions of batches."""
    rows = DatabaseSessionRows(engine)
    return SessionServices(
        sessions=SessionActions(runs, rows),
        rows=rows,
        organisations=DatabaseOrganisations(engine),
        users=DatabaseUsers(engine),
        grants=DatabaseGrants(engine),
        images=DatabaseImages(engine),
        files=DatabaseFiles(engine),
        uploads=DatabaseUploads(engine),
        templates=DatabaseTemplates(engine),
        objects=objects,
        pool=pool,
        sender_email=settings.sender_email,
        completion_mails=settings.completion_mails,
    )


async def connect_worker(choice: TemporalConfig, interceptors: Sequence[Interceptor]) -> Client:
    """Returns a client of the namespace. Raises `ConfigError` if Temporal is not usable."""
    with temporal_errors(choice):
        client = await connect(choice, interceptors=interceptors)
        await read_namespace(client)
    return client


@contextmanager
def temporal_errors(choice: TemporalConfig) -> Iterator[None]:
    """Maps errors of calls to Temporal to `ConfigError`."""
    try:
        yield
    except (RPCError, RuntimeError) as error:
        raise ConfigError(str(to_temporal_unusable(error, choice))) from error


async def run_worker(settings: Settings) -> None:
    """Runs until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    async with AsyncExitStack() as stack:
        telemetry = stack.enter_context(open_telemetry(os.environ))
        is_ready = asyncio.Event()
        await stack.enter_async_context(telemetry.served(settings.worker_address, is_ready.is_set))
        client = await connect_worker(settings.temporal, telemetry.interceptors)
        activities = await stack.enter_async_context(build_activities(settings, client, telemetry.metrics))
        with temporal_errors(settings.temporal):
            await ensure_search_attributes(client)
        if settings.replay_at_start and "sessions" in settings.worker_config.queues:
            await check_version(settings.temporal, TemporalTaskQueues(client))
        workers = make_workers(client, activities, settings.worker_config)
        for number in STOP_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        if "callbacks" in settings.worker_config.queues:
            await stack.enter_async_context(activities.dispatcher.running())
        temporal = partial(watch_namespace, client, settings.temporal, OutageLog("temporal"))
        for task, every, failure in (
            (temporal, WATCH_EVERY, "Temporal could not be watched"),
            (activities.overdue_starts.start_due, START_EVERY, "overdue runs could not be started"),
            (activities.upload_sweep.sweep_now, UPLOAD_SWEEP_EVERY, "uploads could not be deleted"),
            (activities.run_sweep.sweep_next, RUN_SWEEP_EVERY, "runs could not be checked"),
            (activities.observer.observe, OBSERVE_EVERY, "the installation could not be observed"),
        ):
            await stack.enter_async_context(run_periodically(task, every, failure))
        async with running_workers(workers):
            is_ready.set()
            log.info("worker is ready", version=VERSION, queues=[worker.task_queue for worker in workers])
            await stop.wait()
            is_ready.clear()
            log.info("worker is stopping")
            activities.dispatcher.stop()


def main() -> None:
    configure_logs()
    run_process(lambda: run_worker(read_for_server()), "the worker failed", uvloop.new_event_loop)


if __name__ == "__main__":
    main()
