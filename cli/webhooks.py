"""`undersign webhook`: the secrets that sign callbacks, receivers that were paused, and a receiver to try with."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import BackendUnavailable, InvalidInput, KeyNotUsable
from cli.load_settings import read_settings
from cli.repositories import open_repositories
from domain.shared.errors import Unavailable
from domain.shared.ids import OrganisationId
from domain.shared.times import rfc3339
from settings import Settings

if TYPE_CHECKING:
    from ports.callbacks import Callbacks, PausedReceiver, WebhookSecrets

app = typer.Typer(help="Callbacks: secrets, paused receivers, and a receiver to try with.", no_args_is_help=True)
secret = typer.Typer(help="The secret that signs an organisation's callbacks.", no_args_is_help=True)
app.add_typer(secret, name="secret")

Organisation = Annotated[str, typer.Option(help="Whose callbacks.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]


@secret.command()
def show(organisation: Organisation, as_json: AsJson = False) -> None:
    """Show the secrets that sign now, the newest first. The first one is made when it is asked for."""
    found = asyncio.run(signing_secrets(read_settings(), OrganisationId(organisation)))
    print(json.dumps({"secrets": found}) if as_json else "\n".join(found))


@secret.command()
def rotate(organisation: Organisation, as_json: AsJson = False) -> None:
    """Make a new secret, which signs from now on. The one before signs too, for 24 hours."""
    made = asyncio.run(_rotate(read_settings(), OrganisationId(organisation)))
    print(json.dumps({"secret": made}) if as_json else made)


@app.command()
def paused(organisation: Organisation, as_json: AsJson = False) -> None:
    """List the receivers that are paused after three days of failures."""
    found = asyncio.run(_paused(read_settings(), OrganisationId(organisation)))
    if as_json:
        print(json.dumps({"paused": [_as_json(one) for one in found]}))
        return
    for one in found:
        print(f"{one.receiver}  paused since {rfc3339(one.paused_since)}, {one.held} callbacks held")


@app.command()
def resume(
    organisation: Organisation,
    receiver: Annotated[str | None, typer.Option(help="Only this one, as `paused` shows it; all if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Deliver again to receivers that were paused after three days of failures, whatever was held for them."""
    begun = asyncio.run(_resume(read_settings(), OrganisationId(organisation), receiver))
    print(json.dumps({"resumed": begun}) if as_json else f"{begun} held callbacks are delivered again.")


@app.command()
def listen(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen, on this machine only.")],
    secret: Annotated[str, typer.Option(help="The organisation's secret (whsec_...).")],
    status: Annotated[int, typer.Option(min=200, max=599, help="What to answer to a genuine callback.")] = 204,
) -> None:
    """Receive callbacks, check their signatures and print them, until Ctrl-C. For development."""
    from cli.webhook_listener import listen_on  # noqa: PLC0415  # only this command listens

    listen_on(port, secret, status)


async def signing_secrets(settings: Settings, organisation_id: OrganisationId) -> tuple[str, ...]:
    """The secrets that sign the organisation's callbacks now, the newest first."""
    async with _open_secrets(settings, organisation_id) as secrets:
        return await secrets.signing(organisation_id, datetime.now(UTC))


async def _rotate(settings: Settings, organisation_id: OrganisationId) -> str:
    async with _open_secrets(settings, organisation_id) as secrets:
        return await secrets.rotate(organisation_id, datetime.now(UTC))


@asynccontextmanager
async def _open_secrets(settings: Settings, organisation_id: OrganisationId) -> "AsyncIterator[WebhookSecrets]":
    from adapters.keys.secret_keys import KeysUnusable, ensure_webhook_key  # noqa: PLC0415  # slow to load; see above

    async with open_repositories(settings) as repositories:
        if await repositories.organisations.get(organisation_id) is None:
            raise _unknown(organisation_id)
        try:
            yield repositories.webhook_secrets(ensure_webhook_key(settings.data_dir / "keys"))
        except KeysUnusable as error:
            raise KeyNotUsable(str(error)) from error


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
            raise BackendUnavailable("Temporal does not answer. Start it, and give this command again.") from error


@asynccontextmanager
async def _open_callbacks(settings: Settings, organisation_id: OrganisationId) -> "AsyncIterator[Callbacks]":
    async with open_repositories(settings) as repositories:
        if await repositories.organisations.get(organisation_id) is None:
            raise _unknown(organisation_id)
        yield repositories.callbacks


def _unknown(organisation_id: OrganisationId) -> InvalidInput:
    return InvalidInput(f"There is no organisation {organisation_id}. Add one: undersign organisation add NAME")


def _as_json(paused: "PausedReceiver") -> dict[str, object]:
    return {
        "receiver": paused.receiver,
        "failingSince": rfc3339(paused.failing_since),
        "pausedSince": rfc3339(paused.paused_since),
        "held": paused.held,
    }
