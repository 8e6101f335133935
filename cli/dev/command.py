"""`undersign dev`: the whole service on one machine, from nothing to the first session, until it is stopped."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from time import monotonic

import httpx

from application.readiness import PROBE_SECONDS
from cli.dev.data_directory import lock_data_directory, prepare_data_directory
from cli.dev.dev_info import DevInfo, remove_dev_info, write_dev_info
from cli.dev.dev_stack import DevStack, allocate_stack
from cli.dev.first_data import Credentials, ensure_first_client, ensure_first_user
from cli.dev.supervisor import ManagedProcess, Supervisor
from cli.dev.welcome import welcome
from cli.errors import StartFailed
from cli.progress import Progress
from cli.repositories import open_repositories
from cli.webhooks import signing_secrets
from ports.database import User
from settings import Settings

START_SECONDS = 300.0
"""How long an engine may take to answer: a slow disk and a cold cache, many times over."""

MAX_DEATHS = 3
"""Deaths of an engine that has never answered, after which the start is given up."""

_SESSIONS_QUEUE = "sessions"
_PROBE_EVERY = 0.1
_DOUBLE_INTERRUPT = 1.0  # seconds between two Ctrl-C that are not one that came twice

Probe = Callable[[httpx.AsyncClient], Awaitable[bool]]


async def run_service(settings: Settings, progress: Progress) -> None:
    """Runs everything until Ctrl-C or SIGTERM.

    Raises:
        CommandFailed: the service cannot start; nothing of it runs then.
    """
    prepare_data_directory(settings.data_dir)
    with lock_data_directory(settings.data_dir):
        remove_dev_info(settings.data_dir)
        supervisor = Supervisor(progress.warn)
        life = asyncio.create_task(_live(settings, supervisor, progress))
        _end_on_signals(life, supervisor)
        try:
            await life
        except asyncio.CancelledError:
            progress.say("Stopping ...")
        finally:
            remove_dev_info(settings.data_dir)
            await supervisor.stop()
    progress.say("Stopped.")


async def _live(settings: Settings, supervisor: Supervisor, progress: Progress) -> None:
    stack = allocate_stack(settings)
    progress.say(f"Starting Undersign on {stack.data_dir}")
    temporal = supervisor.start(stack.temporal_program())
    with progress.step("database"):
        credentials, user = await _seed(settings)
        secret, *_ = await signing_secrets(settings, credentials.organisation_id)
    # The environment may name a proxy for the world outside; these stack are on this machine.
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


async def _seed(settings: Settings) -> tuple[Credentials, User]:
    async with open_repositories(settings) as repositories:
        credentials = await ensure_first_client(repositories.organisations, settings.data_dir)
        return credentials, await ensure_first_user(repositories.users)


async def _wait_for(child: ManagedProcess, http: httpx.AsyncClient, probe: Probe) -> None:
    """Returns when `probe` finds that the child answers; raises `StartFailed`."""
    log = child.program.log
    deadline = monotonic() + START_SECONDS
    while not await _succeeds(probe, http):
        if child.deaths >= MAX_DEATHS:
            raise StartFailed(f"The {child.program.name} does not start; the end of {log} says why.")
        if monotonic() > deadline:
            raise StartFailed(
                f"The {child.program.name} did not answer within {START_SECONDS:.0f} s; the end of {log} may say why."
            )
        await asyncio.sleep(_PROBE_EVERY)


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


def _end_on_signals(life: asyncio.Task[None], supervisor: Supervisor) -> None:
    """The first signal stops in order. A later Ctrl-C kills; a later SIGTERM may be the same one, sent to a group."""
    loop = asyncio.get_running_loop()
    first_at: list[float] = []

    def end(number: signal.Signals) -> None:
        if not first_at:
            first_at.append(monotonic())
            life.cancel()
        elif number is signal.SIGINT and monotonic() - first_at[0] > _DOUBLE_INTERRUPT:
            supervisor.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, end, number)
