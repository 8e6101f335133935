"""`undersign client budget`: how far a client may go when it mails people."""

import asyncio
import re
from datetime import UTC, datetime
from typing import Annotated

import typer

from cli.errors import NotConfigured
from cli.load_settings import read_settings
from cli.output import AsJson, tell
from cli.repositories import open_registry
from domain.shared.ids import ClientId, is_identifier
from domain.shared.sending_limits import LARGEST, Budget, NoDomain, domains_in

_ANY = "any"


def _per_day(text: str | None) -> str | None:
    if text in {None, _ANY} or (re.fullmatch("[0-9]{1,6}", text or "") and int(text or 0) <= LARGEST):
        return text
    raise typer.BadParameter(f"Give a whole number from 0 to {LARGEST}, or any.")


def _domains(text: str | None) -> str | None:
    try:
        domains_in(text or "")
    except NoDomain as error:
        if text == _ANY:
            return text
        raise typer.BadParameter(f"{error}; put commas between several, or give any.") from error
    return text


def budget(
    client: Annotated[
        str,
        typer.Argument(
            metavar="CLIENT", help="The identifier of the client; one of an outside issuer: ISSUER|SUBJECT."
        ),
    ],
    recipients_per_day: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", callback=_per_day, help="Recipients whom it may mail in a day of UTC, or any."),
    ] = None,
    domains: Annotated[
        str | None,
        typer.Option(metavar="DOMAINS", callback=_domains, help="Where they may have addresses, with commas; or any."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a client may mail, and change it from the next request on.

    What is not given stays as it is. A client that was never held to
    anything may mail anybody.
    """
    held, spent = asyncio.run(_hold(ClientId(client), recipients_per_day, domains))
    number, where = held.recipients_per_day, list(held.domains)
    tell(
        {"clientId": client, "recipientsPerDay": number, "domains": where, "mailedToday": spent},
        f"recipients a day  {_ANY if number is None else f'{number}, {spent} today'}",
        f"only at domains   {', '.join(where) or _ANY}",
        as_json=as_json,
    )


async def _hold(client_id: ClientId, per_day: str | None, domains: str | None) -> tuple[Budget, int]:
    async with open_registry(read_settings()) as registry:
        known = is_identifier(client_id) and await registry.organisations.find_client(client_id) is not None
        if not known and "|" not in client_id:
            raise NotConfigured(f"There is no client {client_id}. See undersign client list.")
        held = await registry.budgets.find(client_id) or Budget()
        if per_day is not None:
            held = held.model_copy(update={"recipients_per_day": None if per_day == _ANY else int(per_day)})
        if domains is not None:
            held = held.model_copy(update={"domains": () if domains == _ANY else domains_in(domains)})
        if per_day is not None or domains is not None:
            await registry.budgets.store(client_id, held)
        return held, await registry.budgets.spent(client_id, datetime.now(UTC).date())
