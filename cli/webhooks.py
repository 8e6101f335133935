"""`undersign webhook`: secrets that sign callbacks, paused receivers, and a receiver for development."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import BackendUnavailable, key_errors
from cli.load_settings import read_settings
from cli.organisations import get_organisation
from cli.output import AsJson, JsonObject, print_result
from cli.repositories import open_repositories
from domain.shared.errors import Unavailable
from domain.shared.ids import OrganisationId
from domain.shared.times import rfc3339
from settings import Settings

if TYPE_CHECKING:
    from ports.callbacks import Callbacks, PausedReceiver, WebhookSecrets

app = typer.Typer(help="Callbacks: secrets, paused receivers, a receiver for development.", no_args_is_help=True)
secret = typer.Typer(help="The secret that signs an organisation's callbacks.", no_args_is_help=True)
app.add_typer(secret, name="secret")

Organisation = Annotated[str, typer.Option(help="The organisation that the callbacks belong to.")]


@secret.command()
def show(organisation: Organisation, as_json: AsJson = False) -> None:
    """Show the secrets that sign now, newest first. The first one is created on demand."""
    secrets = asyncio.run(signing_secrets(read_settings(), OrganisationId(organisation)))
    print_result({"secrets": secrets}, *secrets, as_json=as_json)


@secret.command()
def rotate(organisation: Organisation, as_json: AsJson = False) -> None:
    """Create a new secret, which signs from now on. The former one signs too, for 24 hours."""
    made = asyncio.run(_rotate(read_settings(), OrganisationId(organisation)))
    print_result({"secret": made}, made, as_json=as_json)


@app.command()
def paused(organisation: Organisation, as_json: AsJson = False) -> None:
    """List the receivers that are paused after three days of failures."""
    receivers = asyncio.run(_paused(read_settings(), OrganisationId(organisation)))
    lines = (
        f"{one.receiver}  paused since {rfc3339(one.paused_since)}, {one.held} callbacks held" for one in receivers
    )
    if receivers or as_json:
        print_result({"paused": [_members(one) for one in receivers]}, *lines, as_json=as_json)


@app.command()
def resume(
    organisation: Organisation,
    receiver: Annotated[str | None, typer.Option(help="Only this one, as `paused` shows it; without it, all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Deliver to receivers again that were paused after three days of failures, including held callbacks."""
    count = asyncio.run(_resume(read_settings(), OrganisationId(organisation), receiver))
    print_result({"resumed": count}, f"{count} held callbacks are delivered again.", as_json=as_json)


@app.command()
def listen(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on, on this machine only.")],
    secret: Annotated[str, typer.Option(help="The organisation's secret (whsec_...).")],
    status: Annotated[int, typer.Option(min=200, max=599, help="The status of the response to a callback.")] = 204,
) -> None:
    """Receive callbacks, verify their signatures and print them, until Ctrl-C. For development."""
    from cli.webhook_listener import listen_on  # noqa: PLC0415  # only this command listens

    listen_on(port, secret, status)


async def signing_secrets(settings: Settings, organisation_id: OrganisationId) -> tuple[str, ...]:
    """Returns the secrets that sign the organisation's callbacks now, newest first."""
    async with _open_secrets(settings, organisation_id) as secrets:
        return await secrets.signing(organisation_id, datetime.now(UTC))


async def _rotate(settings: Settings, organisation_id: OrganisationId) -> str:
    async with _open_secrets(settings, organisation_id) as secrets:
        return await secrets.rotate(organisation_id, datetime.now(UTC))


@asynccontextmanager
async def _open_secrets(settings: Settings, organisation_id: OrganisationId) -> "AsyncIterator[WebhookSecrets]":
    from adapters.keys.secret_keys import ensure_key  # noqa: PLC0415  # slow to load

    async with open_repositories(settings) as repositories:
        await get_organisation(repositories.organisations, organisation_id)
        with key_errors():
            yield repositories.webhook_secrets(ensure_key(settings.data_dir / "keys", "webhook.key"))


async def _paused(settings: Settings, organisation_id: OrganisationId) -> "tuple[PausedReceiver, ...]":
    async with _open_callbacks(settings, organisation_id) as callbacks:
        return await callbacks.paused(organisation_id)


async def _resume(settings: Settings, organisation_id: OrganisationId, receiver: str | None) -> int:
    from application.sessions import redeliver  # noqa: PLC0415
    from workflows.client.deliveries import connect_deliveries  # noqa: PLC0415

    async with _open_callbacks(settings, organisation_id) as callbacks:
        try:
            deliveries = await connect_deliveries(settings.temporal)
            return await redeliver.resume(callbacks, deliveries, organisation_id, receiver)
        except Unavailable as error:
            raise BackendUnavailable("Temporal does not answer. Start it and try again.") from error


@asynccontextmanager
async def _open_callbacks(settings: Settings, organisation_id: OrganisationId) -> "AsyncIterator[Callbacks]":
    async with open_repositories(settings) as repositories:
        await get_organisation(repositories.organisations, organisation_id)
        yield repositories.callbacks


def _members(paused: "PausedReceiver") -> JsonObject:
    return {
        "receiver": paused.receiver,
        "failingSince": rfc3339(paused.failing_since),
        "pausedSince": rfc3339(paused.paused_since),
        "held": paused.held,
    }
