"""`undersign client budget`: the daily recipients and the domains that a client may send mail to."""

import asyncio
import re
from datetime import UTC, datetime
from typing import Annotated

import typer

from cli.errors import InvalidInput
from cli.load_settings import read_settings
from cli.output import AsJson, print_result
from cli.repositories import open_repositories
from domain.shared.ids import ClientId, is_identifier
from domain.shared.limits import MAX_RECIPIENTS, InvalidDomain, SendingLimit, parse_domains

_ANY = "any"


def _per_day(text: str | None) -> str | None:
    if text in {None, _ANY} or (re.fullmatch("[0-9]{1,6}", text or "") and int(text or 0) <= MAX_RECIPIENTS):
        return text
    raise typer.BadParameter(f"Give a whole number from 0 to {MAX_RECIPIENTS}, or any.")


def _domains(text: str | None) -> str | None:
    try:
        parse_domains(text or "")
    except InvalidDomain as error:
        if text == _ANY:
            return text
        raise typer.BadParameter(f"{error}; separate several by commas, or give any.") from error
    return text


def budget(
    client: Annotated[
        str,
        typer.Argument(metavar="CLIENT", help="The identifier of the client; ISSUER|SUBJECT for an external issuer."),
    ],
    recipients_per_day: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", callback=_per_day, help="Recipients a day (UTC), or any."),
    ] = None,
    domains: Annotated[
        str | None,
        typer.Option(metavar="DOMAINS", callback=_domains, help="Allowed email domains, separated by commas, or any."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show or change the limits of a client, from the next request on.

    Options that are left out change nothing. A new client has no limits.
    """
    limit, spent = asyncio.run(_update(ClientId(client), recipients_per_day, domains))
    number, allowed = limit.recipients_per_day, list(limit.domains)
    print_result(
        {"clientId": client, "recipientsPerDay": number, "domains": allowed, "mailedToday": spent},
        f"recipients a day  {_ANY if number is None else f'{number}, {spent} today'}",
        f"only at domains   {', '.join(allowed) or _ANY}",
        as_json=as_json,
    )


async def _update(client_id: ClientId, per_day: str | None, domains: str | None) -> tuple[SendingLimit, int]:
    async with open_repositories(read_settings()) as repositories:
        known = is_identifier(client_id) and await repositories.organisations.find_client(client_id) is not None
        if not known and "|" not in client_id:
            raise InvalidInput(f"There is no client {client_id}. See undersign client list.")
        limit = await repositories.budgets.find(client_id) or SendingLimit()
        if per_day is not None:
            limit = limit.model_copy(update={"recipients_per_day": None if per_day == _ANY else int(per_day)})
        if domains is not None:
            limit = limit.model_copy(update={"domains": () if domains == _ANY else parse_domains(domains)})
        if per_day is not None or domains is not None:
            await repositories.budgets.set(client_id, limit)
        return limit, await repositories.budgets.count_charged(client_id, datetime.now(UTC).date())
