"""`python -m worker`: runs workflows and activities until SIGTERM or SIGINT, then lets those under way end.

It serves the task queues that the settings name (`workers.py`); stamping happens in its pool of child processes.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import structlog
from temporalio.client import Client

from activities.alerting import Alerting
from activities.announcing import Announcer
from activities.delivering import Delivering
from activities.erasing import Erasing
from activities.generating import Generating
from activities.inviting import Inviting
from activities.raising import Raising
from activities.recording import Recording
from adapters.database.announcements import DatabaseAnnouncements
from adapters.database.callbacks import DatabaseCallbacks
from adapters.database.engine import make_engine, migrate
from adapters.database.logos import DatabaseLogos
from adapters.database.organisations import DatabaseOrganisations
from adapters.database.sessions import DatabaseSessionRows
from adapters.database.users import DatabaseUsers
from adapters.database.webhook_secrets import DatabaseWebhookSecrets
from adapters.keys import ensure_keys, ensure_webhook_key
from adapters.lifetime import live
from adapters.mail.opening import open_mailer
from adapters.object_store.checking import check_at_start
from adapters.object_store.opening import open_object_store
from adapters.processes import SpawnedPool
from adapters.sealing.opening import SEALING, open_sealer
from adapters.telemetry.figures import WorkFigures
from adapters.telemetry.logs import configure_logs
from adapters.telemetry.metered import MeteredMailer, MeteredSealer, MeteredSender
from adapters.temporal.histories import TemporalHistories
from adapters.temporal.telemetry import open_telemetry
from adapters.temporal.yielding import until_calm
from adapters.webhooks.sending import HttpSender
from settings import Settings
from workers import Effects, make_workers
from workflows import search_attributes
from workflows.connection import connect
from workflows.deliveries import TemporalDeliveries
from workflows.warnings import TemporalWarnings

log = structlog.get_logger(__name__)

BEGINNING_PATIENCE = 5.0
"""Seconds after which a delivery to a receiver that fails is begun on a machine that stays busy."""


@asynccontextmanager
async def open_effects(settings: Settings, client: Client, figures: WorkFigures) -> AsyncIterator[Effects]:
    """The activities on the engines that the settings name."""
    keys = ensure_keys(settings.data_dir / "keys")
    await migrate(settings.database_address)
    engine = make_engine(settings.database_address, settings.database_limits)
    pool = SpawnedPool(settings.pool_processes, warm_modules=("layout.engine", "layout.pdf.mupdf", *SEALING))
    rows = DatabaseSessionRows(engine)
    announcer = Announcer(
        DatabaseAnnouncements(engine), TemporalDeliveries(client), partial(until_calm, BEGINNING_PATIENCE)
    )
    callbacks, logos = DatabaseCallbacks(engine), DatabaseLogos(engine)
    secrets = DatabaseWebhookSecrets(engine, ensure_webhook_key(settings.data_dir / "keys"))
    sealer = MeteredSealer(await open_sealer(settings.seal, settings.data_dir / "keys", pool), figures)
    objects = open_object_store(settings.object_store, settings.data_dir / "objects", keys.download, settings.base_url)
    await check_at_start(objects)
    mailer = open_mailer(settings.mail_server, settings.data_dir / "outbox", settings.mail_from)
    mailer = MeteredMailer(mailer, figures)
    try:
        yield Effects(
            recording=Recording(rows, announcer),
            inviting=Inviting(mailer, keys.link, settings.base_url, logos),
            generating=Generating(objects, pool, sealer),
            raising=Raising(objects, sealer),
            erasing=Erasing(rows, objects, TemporalHistories(client), keys.receipt, announcer),
            delivering=Delivering(
                callbacks,
                secrets,
                MeteredSender(HttpSender(private=settings.private_callbacks), figures),
                TemporalWarnings(client),
            ),
            alerting=Alerting(
                DatabaseUsers(engine),
                DatabaseOrganisations(engine),
                logos,
                mailer,
                settings.base_url,
                settings.sender_email,
            ),
            announcer=announcer,
        )
    finally:
        await pool.close()
        await engine.dispose()


async def work(settings: Settings) -> None:
    """Works until a signal to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as telling:
        telemetry = telling.enter_context(open_telemetry(os.environ))
        client = await connect(settings.temporal, interceptors=telemetry.interceptors)
        await search_attributes.ensure_registered(client)
        await telling.enter_async_context(telemetry.served(settings.worker_address))
        effects = await telling.enter_async_context(open_effects(settings, client, telemetry.figures))
        workers = make_workers(client, effects, settings.shifts)
        async with AsyncExitStack() as running:
            await running.enter_async_context(effects.announcer.running())
            for worker in workers:
                await running.enter_async_context(worker)
            log.info("worker is ready", queues=[worker.task_queue for worker in workers])
            await stop.wait()
            log.info("worker is stopping")


def main() -> None:
    configure_logs()
    live(lambda: work(Settings.read_to_serve()), "the worker could not go on")


if __name__ == "__main__":
    main()
