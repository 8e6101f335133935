"""`undersign client`: API clients of an organisation, and their sending limits."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from application.administration.api_clients import (
    ClientAdministration,
    ClientNotFound,
    ClientUnchangeable,
    Credentials,
    find_client,
)
from application.read_entries import MAX_NAME
from application.scopes import PROPOSED, Scope
from cli.arguments import ClientArgument, OnlyOrganisation, OrganisationArgument, one_line
from cli.backends import Repositories, on_database
from cli.output import AsJson, InvalidInput, JsonObject, members_of, print_list, print_result
from domain.audit.events import AuditContext
from domain.ports.database import ClientCredentials
from domain.shared.ids import ClientId
from domain.shared.sending_limit import MAX_RECIPIENTS_PER_DAY, InvalidDomain, SendingLimit, parse_domains
from domain.shared.times import rfc3339

app = typer.Typer(help="API clients.", no_args_is_help=True)

_ANY = "any"
_SCOPES = f"{', '.join(list(Scope)[:-1])} or {list(Scope)[-1]}. May be repeated"
_WITHHELD = ", ".join(scope for scope in Scope if scope not in PROPOSED)

_COLUMNS = {
    "clientId": "CLIENT",
    "name": "NAME",
    "organisationId": "ORGANISATION",
    "revokedAt": "REVOKED",
    "scopes": "SCOPES",
}


@app.command()
@on_database
async def add(
    database: Repositories,
    organisation: OrganisationArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=one_line(MAX_NAME), help="A name for operators.")],
    scope: Annotated[
        list[Scope] | None, typer.Option(metavar="SCOPE", help=f"{_SCOPES}; by default all but {_WITHHELD}.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a client. Its secret is shown once; the database stores a hash only."""
    await database.get_organisation(organisation)
    credentials = await _administration(database).add(
        organisation, name, tuple(scope or (one for one in Scope if one in PROPOSED))
    )
    _print_secret(f"Added {name}.", credentials, as_json=as_json)


@app.command(name="list")
@on_database
async def list_(database: Repositories, organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """List clients, including revoked ones."""
    if organisation is not None:
        await database.get_organisation(organisation)
    clients = await database.organisations.list_clients(organisation)
    print_list("clients", map(_members, clients), _COLUMNS, as_json=as_json)


@app.command()
@on_database
async def revoke(database: Repositories, client: ClientArgument, as_json: AsJson = False) -> None:
    """Revoke a client permanently. Its tokens, signing URLs and batches end with the next request."""
    with _client_errors(client):
        before = await find_client(database.organisations, client)
    at = before.revoked_at or datetime.now(UTC)
    if before.revoked_at is None:
        await _administration(database).revoke(before)
    print_result(
        _members(replace(before, revoked_at=at)), f"{before.name} is revoked since {rfc3339(at)}.", as_json=as_json
    )


@app.command(name="rotate-secret")
@on_database
async def rotate(
    database: Repositories,
    client: ClientArgument,
    end_tokens: Annotated[
        bool, typer.Option("--end-tokens", help="End its tokens, signing URLs and batches too, as after a leak.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Give a client a new secret, shown once. The old secret is rejected from now on.

    Without --end-tokens, tokens of the client stay valid until they expire,
    at most an hour.
    """
    with _client_errors(client):
        before = await find_client(database.organisations, client)
        credentials = await _administration(database).rotate_secret(before, ends_tokens=end_tokens)
    _print_secret(f"{before.name} has a new secret.", credentials, as_json=as_json)


@app.command(name="set-scopes")
@on_database
async def set_scopes(
    database: Repositories,
    client: ClientArgument,
    scope: Annotated[list[Scope], typer.Option(metavar="SCOPE", help=f"{_SCOPES}.")],
    as_json: AsJson = False,
) -> None:
    """Replace the scopes of a client and of its tokens, from the next request on.

    A token never gets more scopes than when it was issued: for added
    scopes the client needs a new token.
    """
    with _client_errors(client):
        before = await find_client(database.organisations, client)
        scopes = await _administration(database).replace_scopes(before, scope)
    changed = replace(before, scopes=scopes)
    print_result(_members(changed), f"{changed.name} has the scopes {' '.join(scopes)} from now on.", as_json=as_json)


def _per_day(text: str | None) -> str | None:
    if text in {None, _ANY} or (re.fullmatch("[0-9]{1,6}", text or "") and int(text or 0) <= MAX_RECIPIENTS_PER_DAY):
        return text
    raise typer.BadParameter(f"Give a whole number from 0 to {MAX_RECIPIENTS_PER_DAY}, or any.")


def _domains(text: str | None) -> str | None:
    try:
        parse_domains("" if text in {None, _ANY} else text or "")
    except InvalidDomain as error:
        raise typer.BadParameter(f"{error}; separate several by commas, or give any.") from error
    return text


_CLIENT_HELP = "The identifier of the client; ISSUER|SUBJECT for an external issuer."


@app.command()
@on_database
async def budget(
    database: Repositories,
    client: Annotated[str, typer.Argument(metavar="CLIENT", help=_CLIENT_HELP)],
    recipients_per_day: Annotated[
        str | None, typer.Option(metavar="NUMBER", callback=_per_day, help="Recipients a day (UTC), or any.")
    ] = None,
    domains: Annotated[
        str | None,
        typer.Option(metavar="DOMAINS", callback=_domains, help="Allowed email domains, separated by commas, or any."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show or change the sending limits of a client. Changes apply from its next request on.

    Options that are left out change nothing. A new client has no limits.
    """
    client_id = ClientId(client)
    known = None
    if "|" not in client:
        with _client_errors(client):
            known = await find_client(database.organisations, client)
    limit = await database.budgets.find(client_id) or SendingLimit()
    if recipients_per_day is not None:
        number = None if recipients_per_day == _ANY else int(recipients_per_day)
        limit = limit.model_copy(update={"recipients_per_day": number})
    if domains is not None:
        limit = limit.model_copy(update={"domains": () if domains == _ANY else parse_domains(domains)})
    if recipients_per_day is not None or domains is not None:
        if known is None:
            await database.budgets.set(client_id, limit)
        else:
            await _administration(database).set_limit(database.budgets, known, limit)
    spent = await database.budgets.count_charged(client_id, datetime.now(UTC).date())
    number, allowed = limit.recipients_per_day, list(limit.domains)
    print_result(
        {"clientId": client, "recipientsPerDay": number, "domains": allowed, "mailedToday": spent},
        f"recipients a day  {_ANY if number is None else f'{number}, {spent} today'}",
        f"only at domains   {', '.join(allowed) or _ANY}",
        as_json=as_json,
    )


def _administration(database: Repositories) -> ClientAdministration:
    return ClientAdministration(database.organisations, database.acts, AuditContext.of_system(datetime.now(UTC)))


@contextmanager
def _client_errors(client_id: str) -> Iterator[None]:
    """Raises `InvalidInput` for a client that does not exist, or cannot be changed."""
    try:
        yield
    except ClientNotFound as error:
        raise InvalidInput(f"There is no client {client_id}. See undersign client list.") from error
    except ClientUnchangeable as error:
        name = error.client.name
        if error.client.revoked_at is None:
            message = f"{name} was approved by a user and has no secret. It gets its tokens from them."
        else:
            message = f"{name} is revoked permanently. Add another one: undersign client add"
        raise InvalidInput(message) from error


def _print_secret(message: str, credentials: Credentials, *, as_json: bool) -> None:
    print_result(
        credentials.model_dump(by_alias=True),
        f"{message} Save the secret now, it is not shown again.",
        f"  client id      {credentials.client_id}",
        f"  client secret  {credentials.client_secret}",
        as_json=as_json,
    )


def _members(client: ClientCredentials) -> JsonObject:
    return members_of(client, "client_id", "organisation_id", "name", "scopes", "revoked_at")
