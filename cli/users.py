"""`undersign user`: the users of an organisation, who manage its sessions in the app."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated
from uuid import uuid4

import typer

from cli.arguments import EmailArgument, OnlyOrganisation, OrganisationArgument, one_line
from cli.errors import InvalidInput
from cli.load_settings import read_settings
from cli.organisations import get_organisation
from cli.output import AsJson, JsonObject, print_list, print_result
from cli.repositories import open_repositories
from domain.shared.ids import OrganisationId, UserId
from domain.shared.times import rfc3339
from ports.database import EmailTaken, User, Users

app = typer.Typer(help="Users of an organisation.", no_args_is_help=True)

_COLUMNS = {"email": "EMAIL", "name": "NAME", "organisationId": "ORGANISATION", "disabledAt": "DISABLED"}


@app.command()
def add(
    organisation: OrganisationArgument,
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=one_line(100), help="Their full name.")],
    as_json: AsJson = False,
) -> None:
    """Add a user. They sign in to the app with links sent by mail; there is no password."""
    user = asyncio.run(_add(OrganisationId(organisation), email, name))
    app_url = f"{read_settings().base_url}/app"
    print_result(_members(user), f"Added {name}, who signs in at {app_url} as {email}.", as_json=as_json)


@app.command(name="list")
def list_(organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """List users, including disabled ones."""
    users = asyncio.run(_list(OrganisationId(organisation) if organisation else None))
    print_list("users", [_members(user) for user in users], _COLUMNS, as_json=as_json)


@app.command()
def disable(email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """Disable a user from their next request on. Programs that they approved lose access permanently."""
    user = asyncio.run(_disable(email, organisation))
    print_result(_members(user), f"{user.name} ({email}) cannot sign in any more.", as_json=as_json)


@app.command()
def enable(email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """Enable a disabled user again."""
    user = asyncio.run(_enable(email, organisation))
    print_result(_members(user), f"{user.name} ({email}) can sign in again.", as_json=as_json)


async def _add(organisation_id: OrganisationId, email: str, name: str) -> User:
    async with open_repositories(read_settings()) as repositories:
        await get_organisation(repositories.organisations, organisation_id)
        user = User(user_id=UserId(str(uuid4())), organisation_id=organisation_id, email=email, name=name)
        try:
            await repositories.users.add(user)
        except EmailTaken as error:
            raise InvalidInput(
                f"{email} is a user of that organisation already. See undersign user list, or give another address."
            ) from error
        return user


async def _list(organisation_id: OrganisationId | None) -> tuple[User, ...]:
    async with open_repositories(read_settings()) as repositories:
        if organisation_id is not None:
            await get_organisation(repositories.organisations, organisation_id)
        return await repositories.users.list(organisation_id)


async def _disable(email: str, organisation: str | None) -> User:
    async with _find(email, organisation) as (users, user):
        at = user.disabled_at or datetime.now(UTC)
        await users.disable(user.user_id, at)
        return replace(user, disabled_at=at)


async def _enable(email: str, organisation: str | None) -> User:
    async with _find(email, organisation) as (users, user):
        await users.enable(user.user_id)
        return replace(user, disabled_at=None)


@asynccontextmanager
async def _find(email: str, organisation: str | None) -> AsyncIterator[tuple[Users, User]]:
    async with open_repositories(read_settings()) as repositories:
        users = await repositories.users.find_by_email(email)
        found = [user for user in users if organisation in (None, user.organisation_id)]
        if not found:
            raise InvalidInput(f"There is no user {email}. See undersign user list.")
        if len(found) > 1:
            raise InvalidInput(f"{email} is in several organisations. Say which one with --organisation.")
        yield repositories.users, found[0]


def _members(user: User) -> JsonObject:
    return {
        "userId": user.user_id,
        "organisationId": user.organisation_id,
        "email": user.email,
        "name": user.name,
        "disabledAt": rfc3339(user.disabled_at) if user.disabled_at else None,
    }
