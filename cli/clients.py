"""`undersign client`: API clients of an organisation."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated

import typer

from application.scopes import USUAL, Scope
from cli.arguments import ClientArgument, OnlyOrganisation, OrganisationArgument, one_line
from cli.dev.first_data import Credentials, add_client, new_secret
from cli.errors import InvalidInput
from cli.load_settings import read_settings
from cli.organisations import get_organisation
from cli.output import AsJson, JsonObject, print_list, print_result
from cli.repositories import open_repositories
from cli.sending_limits import budget
from domain.shared.ids import ClientId, OrganisationId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339
from ports.database import ClientCredentials, Organisations

_Change = Callable[[Organisations], Awaitable[ClientCredentials | None]]

app = typer.Typer(help="API clients.", no_args_is_help=True)

_SCOPES = f"{', '.join(list(Scope)[:-1])} or {list(Scope)[-1]}. May be repeated"
_COLUMNS = {
    "clientId": "CLIENT",
    "name": "NAME",
    "organisationId": "ORGANISATION",
    "revokedAt": "REVOKED",
    "scopes": "SCOPES",
}


@app.command()
def add(
    organisation: OrganisationArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=one_line(200), help="A name for operators.")],
    scope: Annotated[
        list[Scope] | None, typer.Option(metavar="SCOPE", help=f"{_SCOPES}; by default all but read:values.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a client. Its secret is shown once; the database stores a hash only."""
    credentials = asyncio.run(_add(OrganisationId(organisation), name, tuple(scope or USUAL)))
    _print_secret(f"Added {name}.", credentials, as_json=as_json)


@app.command(name="list")
def list_(organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """List clients, including revoked ones."""
    clients = asyncio.run(_list(OrganisationId(organisation) if organisation else None))
    print_list("clients", [_members(client) for client in clients], _COLUMNS, as_json=as_json)


@app.command()
def revoke(client: ClientArgument, as_json: AsJson = False) -> None:
    """Revoke a client permanently. Its tokens are rejected from the next request on."""
    revoked = asyncio.run(
        _change(client, lambda organisations: organisations.revoke_client(ClientId(client), datetime.now(UTC)))
    )
    at = rfc3339(revoked.revoked_at) if revoked.revoked_at else "now"
    print_result(_members(revoked), f"{revoked.name} is revoked since {at}.", as_json=as_json)


@app.command(name="rotate-secret")
def rotate_secret(client: ClientArgument, as_json: AsJson = False) -> None:
    """Give a client a new secret, shown once. The old secret is rejected from now on.

    Tokens of the client stay valid until they expire, at most an hour.
    If the old secret has leaked, revoke the client and add another one
    instead: that revokes its tokens too.
    """
    secret = new_secret()
    changed = asyncio.run(
        _change(
            client,
            lambda organisations: organisations.replace_secret(ClientId(client), digest(secret.encode())),
            active=True,
            with_secret=True,
        )
    )
    credentials = Credentials(
        organisation_id=changed.organisation_id, client_id=changed.client_id, client_secret=secret
    )
    _print_secret(f"{changed.name} has a new secret.", credentials, as_json=as_json)


@app.command(name="set-scopes")
def set_scopes(
    client: ClientArgument,
    scope: Annotated[list[Scope], typer.Option(metavar="SCOPE", help=f"{_SCOPES}.")],
    as_json: AsJson = False,
) -> None:
    """Replace the scopes of a client and of its tokens, from the next request on.

    A token never gets more scopes than when it was issued: for added
    scopes the client needs a new token.
    """
    scopes = [one.value for one in Scope if one in scope]
    changed = asyncio.run(
        _change(client, lambda organisations: organisations.replace_scopes(ClientId(client), scopes), active=True)
    )
    print_result(_members(changed), f"{changed.name} has the scopes {' '.join(scopes)} from now on.", as_json=as_json)


app.command()(budget)


async def _add(organisation_id: OrganisationId, name: str, scopes: tuple[Scope, ...]) -> Credentials:
    async with open_repositories(read_settings()) as repositories:
        await get_organisation(repositories.organisations, organisation_id)
        return await add_client(repositories.organisations, organisation_id, name, scopes)


async def _list(organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
    async with open_repositories(read_settings()) as repositories:
        if organisation_id is not None:
            await get_organisation(repositories.organisations, organisation_id)
        return await repositories.organisations.list_clients(organisation_id)


async def _change(
    client: str, change: _Change, *, active: bool = False, with_secret: bool = False
) -> ClientCredentials:
    async with open_repositories(read_settings()) as repositories:
        before = await repositories.organisations.find_client(ClientId(client))
        if active and before is not None and before.revoked_at is not None:
            raise InvalidInput(f"{before.name} is revoked permanently. Add another one: undersign client add")
        if with_secret and before is not None and not before.secret_sha256:
            raise InvalidInput(f"{before.name} was approved by a user and has no secret. It gets its tokens from them.")
        changed = await change(repositories.organisations)
    if changed is None:
        raise InvalidInput(f"There is no client {client}. See undersign client list.")
    return changed


def _print_secret(message: str, credentials: Credentials, *, as_json: bool) -> None:
    print_result(
        credentials.model_dump(by_alias=True),
        f"{message} Save the secret now, it is not shown again.",
        f"  client id      {credentials.client_id}",
        f"  client secret  {credentials.client_secret}",
        as_json=as_json,
    )


def _members(client: ClientCredentials) -> JsonObject:
    return {
        "clientId": client.client_id,
        "organisationId": client.organisation_id,
        "name": client.name,
        "scopes": list(client.scopes),
        "revokedAt": rfc3339(client.revoked_at) if client.revoked_at else None,
    }
