"""`undersign user`: the users of an organisation, who manage its sessions in the app."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from application.administration.add_user import add_user
from application.administration.read_entries import MAX_PERSON_NAME
from cli.arguments import EmailArgument, OnlyOrganisation, OrganisationArgument, one_line
from cli.backends import Repositories, on_database, read_settings
from cli.output import AsJson, InvalidInput, JsonObject, members_of, print_list, print_result
from domain.shared.ids import OrganisationId
from domain.shared.roles import Role
from ports.database import EmailTaken, User

app = typer.Typer(help="Users of an organisation.", no_args_is_help=True)

_COLUMNS = {
    "email": "EMAIL",
    "name": "NAME",
    "role": "ROLE",
    "organisationId": "ORGANISATION",
    "disabledAt": "DISABLED",
}

_ROLES = "administrator, sender or viewer"


@app.command()
@on_database
async def add(  # noqa: PLR0913, PLR0917  # the arguments of a command
    database: Repositories,
    organisation: OrganisationArgument,
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=one_line(MAX_PERSON_NAME), help="Their full name.")],
    role: Annotated[
        Role | None,
        typer.Option(metavar="ROLE", help=f"{_ROLES}; by default sender, and administrator for the first user."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a user. They sign in to the app with links sent by mail; there is no password."""
    await database.get_organisation(organisation)
    try:
        user = await add_user(database.users, organisation, email, name, role)
    except EmailTaken as error:
        raise InvalidInput(
            f"{email} is a user of that organisation already. See undersign user list, or give another address."
        ) from error
    app_url = f"{read_settings().base_url}/app"
    print_result(_members(user), f"Added {name} ({user.role}), who signs in at {app_url} as {email}.", as_json=as_json)


@app.command(name="list")
@on_database
async def list_(database: Repositories, organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """List users, including disabled ones."""
    if organisation is not None:
        await database.get_organisation(organisation)
    print_list("users", map(_members, await database.users.list(organisation)), _COLUMNS, as_json=as_json)


@app.command()
@on_database
async def role(
    database: Repositories,
    email: EmailArgument,
    role: Annotated[Role, typer.Argument(metavar="ROLE", help=f"{_ROLES}.")],
    organisation: OnlyOrganisation = None,
    as_json: AsJson = False,
) -> None:
    """Change the role of a user, from their next request on. Apps that they approved never have more rights."""
    user = replace(await _find(database, email, organisation), role=role)
    await database.users.change_role(user.user_id, role)
    print_result(_members(user), f"{user.name} ({email}) has the role {role} from now on.", as_json=as_json)


@app.command()
@on_database
async def disable(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """Disable a user from their next request on. Programs that they approved lose access permanently."""
    user = await _find(database, email, organisation)
    at = user.disabled_at or datetime.now(UTC)
    await database.users.disable(user.user_id, at)
    print_result(
        _members(replace(user, disabled_at=at)), f"{user.name} ({email}) cannot sign in any more.", as_json=as_json
    )


@app.command()
@on_database
async def enable(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """Enable a disabled user again."""
    user = replace(await _find(database, email, organisation), disabled_at=None)
    await database.users.enable(user.user_id)
    print_result(_members(user), f"{user.name} ({email}) can sign in again.", as_json=as_json)


async def _find(database: Repositories, email: str, organisation: OrganisationId | None) -> User:
    matches = [
        user for user in await database.users.find_by_email(email) if organisation in (None, user.organisation_id)
    ]
    if not matches:
        raise InvalidInput(f"There is no user {email}. See undersign user list.")
    if len(matches) > 1:
        raise InvalidInput(f"{email} is in several organisations. Say which one with --organisation.")
    return matches[0]


def _members(user: User) -> JsonObject:
    return members_of(user, "user_id", "organisation_id", "email", "name", "role", "disabled_at")
