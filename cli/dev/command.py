"""`undersign dev`: starts the whole service on one machine and runs it until it is stopped."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import monotonic

import httpx

from application.administration.api_clients import Credentials
from application.checks import PROBE_SECONDS
from cli.backends import open_repositories
from cli.data_directory import DevInfo, lock_data_directory, prepare_data_directory, remove_dev_info, write_dev_info
from cli.dev.first_data import ensure_first_client, ensure_first_user
from cli.dev.programs import DevStack, allocate_stack
from cli.dev.supervisor import ManagedProcess, Supervisor
from cli.dev.welcome import welcome
from cli.output import CommandFailed, Progress
from cli.webhooks import open_secrets
from config.settings import Settings
from domain.installation import Fact
from domain.ports.database import User

START_SECONDS = 300.0
"""Limit for a process to answer, with a wide margin for slow disks and cold caches."""

MAX_DEATHS = 3
"""Number of exits of a process that has never answered, after which the start fails."""

_SESSIONS_QUEUE = "sessions"
_DOUBLE_INTERRUPT = 1.0  # seconds within which two SIGINT count as one Ctrl-C

Probe = Callable[[httpx.AsyncClient], Awaitable[bool]]


async def run_service(settings: Settings, progress: Progress) -> None:
    """Runs the service until Ctrl-C or SIGTERM; raises `CommandFailed` if it cannot start."""
    prepare_data_directory(settings.data_dir)
    with lock_data_directory(settings.data_dir):
        remove_dev_info(settings.data_dir)
        supervisor = Supervisor(progress.warn)
        main_task = asyncio.create_task(_run(settings, supervisor, progress))
        _stop_on_signals(main_task, supervisor)
        try:
            await main_task
        except asyncio.CancelledError:
            progress.say("Stopping ...")
        finally:
            remove_dev_info(settings.data_dir)
            await supervisor.stop()
    progress.say("Stopped.")


async def _run(settings: Settings, supervisor: Supervisor, progress: Progress) -> None:
    stack = allocate_stack(settings)
    progress.say(f"Starting Undersign on {stack.data_dir}")
    temporal = supervisor.start(stack.temporal_program())
    with progress.step("database"):
        async with open_repositories(settings) as database:
            # This process alone starts all others, and their address has the port that was free.
            await database.installation.replace({Fact.PUBLIC_URL: stack.public_url})
            credentials = await ensure_first_client(database.organisations, database.acts, settings.data_dir)
            user = await ensure_first_user(database.users)
            secrets = open_secrets(database, settings.data_dir)
            secret, *_ = await secrets.signing(credentials.organisation_id, datetime.now(UTC))
    # Ignores proxies that the environment names: these processes are on this machine.
    async with httpx.AsyncClient(trust_env=False, timeout=PROBE_SECONDS + 5) as http:
        with progress.step("Temporal server"):
            await _wait_for(temporal, http, stack.temporal.answers)
        worker = supervisor.start(stack.worker_program())
        api = supervisor.start(stack.api_program())
        with progress.step("worker"):
            await _wait_for(worker, http, lambda http: stack.temporal.has_worker(http, _SESSIONS_QUEUE))
        with progress.step("API"):
            await _wait_for(api, http, lambda http: _api_answers(http, stack.api_url))
    dev_info = _dev_info(stack, credentials, secret, user)
    write_dev_info(stack.data_dir, dev_info)
    welcome(progress.console, stack.data_dir, dev_info, mail_leaves=settings.mail_server is not None)
    await asyncio.Event().wait()


async def _wait_for(process: ManagedProcess, http: httpx.AsyncClient, probe: Probe) -> None:
    """Waits until `probe` succeeds; raises `CommandFailed`."""
    name, log = process.program.name, process.program.log
    deadline = monotonic() + START_SECONDS
    while not await _succeeds(probe, http):
        if process.deaths >= MAX_DEATHS:
            raise CommandFailed(f"The {name} does not start; see the end of {log}.")
        if monotonic() > deadline:
            raise CommandFailed(f"The {name} did not answer within {START_SECONDS:.0f} s; see the end of {log}.")
        await asyncio.sleep(0.1)


async def _succeeds(probe: Probe, http: httpx.AsyncClient) -> bool:
    try:
        return await probe(http)
    except httpx.TransportError:
        return False


async def _api_answers(http: httpx.AsyncClient, url: str) -> bool:
    alive = await http.get(f"{url}/healthz")
    return alive.is_success and (await http.get(f"{url}/readyz")).is_success


def _dev_info(stack: DevStack, credentials: Credentials, webhook_secret: str, user: User) -> DevInfo:
    return DevInfo(
        api_url=stack.api_url,
        temporal_address=stack.temporal.address,
        temporal_ui_url=stack.temporal.ui_url,
        outbox_dir=stack.data_dir / "outbox",
        outbox_url=f"{stack.api_url}/outbox",
        client_id=credentials.client_id,
        client_secret=credentials.client_secret,
        organisation_id=credentials.organisation_id,
        webhook_secret=webhook_secret,
        app_url=f"{stack.api_url}/app",
        user_email=user.email,
    )


def _stop_on_signals(main_task: asyncio.Task[None], supervisor: Supervisor) -> None:
    """Stops the processes in order on the first signal, and kills them on a later Ctrl-C.

    A later SIGTERM is ignored: it may be a copy of the first one, sent to the process group.
    """
    first_at: list[float] = []

    def stop(number: signal.Signals) -> None:
        if not first_at:
            first_at.append(monotonic())
            main_task.cancel()
        elif number is signal.SIGINT and monotonic() - first_at[0] > _DOUBLE_INTERRUPT:
            supervisor.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
