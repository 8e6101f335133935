"""`undersign webhook`: secrets that sign callbacks, paused receivers, and a receiver for development."""

import json
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import identifier
from cli.backends import Repositories, key_errors, on_database, read_settings
from cli.output import AsJson, BackendUnavailable, InvalidInput, members_of, print_result
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.callbacks import WebhookSecrets
from domain.shared.errors import Unavailable
from domain.shared.ids import OrganisationId

if TYPE_CHECKING:
    from standardwebhooks import Webhook

MAX_BODY = 1_000_000
"""Maximum bytes of a callback that are read. Callbacks of the service are far smaller."""

app = typer.Typer(help="Callbacks: secrets, paused receivers, a receiver for development.", no_args_is_help=True)
secret = typer.Typer(help="The secret that signs an organisation's callbacks.", no_args_is_help=True)
app.add_typer(secret, name="secret")

Organisation = Annotated[
    OrganisationId, typer.Option(parser=identifier, help="The organisation that the callbacks belong to.")
]


@secret.command()
@on_database
async def show(database: Repositories, organisation: Organisation, as_json: AsJson = False) -> None:
    """Show the secrets that sign now, newest first. The first one is created on demand."""
    await database.get_organisation(organisation)
    secrets = await open_secrets(database, read_settings().data_dir).signing(organisation, datetime.now(UTC))
    print_result({"secrets": secrets}, *secrets, as_json=as_json)


@secret.command()
@on_database
async def rotate(database: Repositories, organisation: Organisation, as_json: AsJson = False) -> None:
    """Create a new secret, which signs from now on. The former one signs too, for 24 hours."""
    await database.get_organisation(organisation)
    audit = AuditContext.of_system(datetime.now(UTC))
    added = await open_secrets(database, read_settings().data_dir).rotate(organisation, audit.at)
    await database.acts.add(organisation, audit, Change(ActKind.WEBHOOK_SECRET_CHANGED, ""))
    print_result({"secret": added}, added, as_json=as_json)


@app.command()
@on_database
async def paused(database: Repositories, organisation: Organisation, as_json: AsJson = False) -> None:
    """List the receivers that are paused after three days of failures."""
    await database.get_organisation(organisation)
    receivers = [
        members_of(one, "receiver", "failing_since", "paused_since", "held")
        for one in await database.callbacks.paused(organisation)
    ]
    lines = (f"{one['receiver']}  paused since {one['pausedSince']}, {one['held']} callbacks held" for one in receivers)
    if receivers or as_json:
        print_result({"paused": receivers}, *lines, as_json=as_json)


@app.command()
@on_database
async def resume(
    database: Repositories,
    organisation: Organisation,
    receiver: Annotated[str | None, typer.Option(help="Only this one, as `paused` shows it; without it, all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Resume receivers that were paused after three days of failures, and deliver their held callbacks."""
    from application.sessions import redeliver
    from workflows.client.deliveries import connect_deliveries

    await database.get_organisation(organisation)
    try:
        deliveries = await connect_deliveries(read_settings().temporal)
        count = await redeliver.resume(database.callbacks, deliveries, organisation, receiver)
    except Unavailable as error:
        raise BackendUnavailable("Temporal does not answer. Start it and try again.") from error
    print_result({"resumed": count}, f"{count} held callbacks are delivered again.", as_json=as_json)


@app.command()
def listen(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on, on this machine only.")],
    secret: Annotated[str, typer.Option(help="The organisation's secret (whsec_...).")],
    status: Annotated[int, typer.Option(min=200, max=599, help="The status of the response to a callback.")] = 204,
) -> None:
    """Receive callbacks, verify their signatures and print them, until Ctrl-C. For development."""
    from standardwebhooks import Webhook
    from standardwebhooks.webhooks import EmptyWebhookSecretError

    try:
        webhook = Webhook(secret)
    except (ValueError, EmptyWebhookSecretError) as error:
        raise InvalidInput("That is no secret. Show it: undersign webhook secret show") from error

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:  # the name is http.server's
            body = self.rfile.read(min(int(self.headers.get("content-length") or 0), MAX_BODY))
            self.send_response(_print_callback(webhook, body, dict(self.headers.items()), status))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing: callbacks are printed."""

    try:
        server = HTTPServer(("127.0.0.1", port), Receiver)
    except OSError as error:
        raise InvalidInput(f"Cannot listen on port {port}: {error.strerror}.") from error
    print(f"Listening on http://127.0.0.1:{port}/ until Ctrl-C", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Stopped.")


def open_secrets(database: Repositories, data_dir: Path) -> WebhookSecrets:
    """Returns the secrets of callbacks; creates the key that encrypts them if there is none."""
    from adapters.keys.secret_keys import ensure_key

    with key_errors():
        return database.webhook_secrets(ensure_key(data_dir / "keys", "webhook.key"))


def _print_callback(webhook: "Webhook", body: bytes, headers: dict[str, str], status: int) -> int:
    """Prints a callback as two lines and an empty one; returns the status of the response."""
    from standardwebhooks import WebhookVerificationError

    try:
        callback = webhook.verify(body, headers)
    except (WebhookVerificationError, ValueError) as error:
        print(f"refused: {error}\n", flush=True)
        return 401
    data = callback.get("data", {})
    event = next((value for name, value in headers.items() if name.lower() == "webhook-id"), "")
    print(f"{callback.get('timestamp')}  {callback.get('type')}  event {event}, number {data.get('sequence', '-')}")
    print(json.dumps(data, ensure_ascii=False) + "\n", flush=True)
    return status
