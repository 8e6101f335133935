"""`undersign user`: the users of an organisation, who manage its sessions in the app."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from application.administration.add_user import NewUser, add_user
from application.read_entries import read_person_name
from cli.arguments import EmailArgument, OnlyOrganisation, OrganisationArgument, checked
from cli.backends import Repositories, on_database, read_settings
from cli.data_directory import with_running_service
from cli.output import AsJson, InvalidInput, JsonObject, members_of, print_list, print_result
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.database import EmailTaken, User
from domain.ports.sign_ins import LinkLimits, SignInLink
from domain.shared.ids import OrganisationId
from domain.shared.object_names import digest
from domain.shared.roles import Role
from domain.shared.times import rfc3339

app = typer.Typer(help="Users of an organisation.", no_args_is_help=True)

_COLUMNS = {
    "email": "EMAIL",
    "name": "NAME",
    "role": "ROLE",
    "organisationId": "ORGANISATION",
    "disabledAt": "DISABLED",
}

_LINK_LIFETIME = timedelta(minutes=15)
_OPERATOR = "operator"

_ROLES = "administrator, sender or viewer"


@app.command()
@on_database
async def add(  # noqa: PLR0913, PLR0917  # the arguments of a command
    database: Repositories,
    organisation: OrganisationArgument,
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=checked(read_person_name), help="Their full name.")],
    role: Annotated[
        Role | None,
        typer.Option(metavar="ROLE", help=f"{_ROLES}; by default sender, and administrator for the first user."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a user. They sign in to the app with links sent by mail; there is no password.

    The first user of an organisation is a member at once. Each other user
    accepts the invitation when they sign in.
    """
    await database.get_organisation(organisation)
    try:
        user = await add_user(database.users, database.acts, organisation, _audit(), NewUser(email, name, role))
    except EmailTaken as error:
        raise InvalidInput(
            f"{email} is a user of that organisation already. See undersign user list, or give another address."
        ) from error
    app_url = f"{with_running_service(read_settings()).base_url}/app"
    done = "Invited" if user.is_pending else "Added"
    line = f"{done} {name} ({user.role}), who signs in at {app_url} as {email}."
    print_result(_members(user), line, as_json=as_json)


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
    """Change the role of a user, who has to sign in again. Apps that they approved lose access permanently."""
    before = await _find(database, email, organisation)
    user, audit = replace(before, role=role), _audit()
    if role is not before.role:
        await database.users.change_role(user.user_id, role)
        change = Change(ActKind.USER_CHANGED, user.user_id, {"role": before.role.value}, {"role": role.value})
        await database.acts.add(user.organisation_id, audit, change)
    print_result(_members(user), f"{user.name} ({email}) has the role {role} from now on.", as_json=as_json)


@app.command()
@on_database
async def disable(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """Disable a user from their next request on. Programs that they approved lose access permanently."""
    user = await _find(database, email, organisation)
    audit = _audit()
    at = user.disabled_at or audit.at
    await database.users.disable(user.user_id, at)
    await database.acts.add(user.organisation_id, audit, Change(ActKind.USER_DISABLED, user.user_id))
    print_result(
        _members(replace(user, disabled_at=at)), f"{user.name} ({email}) cannot sign in any more.", as_json=as_json
    )


@app.command()
@on_database
async def enable(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """Enable a disabled user again, who then signs in again. What ended when they were disabled stays ended."""
    user = replace(await _find(database, email, organisation), disabled_at=None)
    await database.users.enable(user.user_id)
    await database.acts.add(user.organisation_id, _audit(), Change(ActKind.USER_ENABLED, user.user_id))
    print_result(_members(user), f"{user.name} ({email}) can sign in again.", as_json=as_json)


@app.command(name="sign-in-link")
@on_database
async def sign_in_link(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """Print a link with which a user signs in once, within 15 minutes.

    For the first administrator, while no mail can be sent. Give it to
    that user only: it gives access to everything that they have.
    """
    user, audit, secret = await _find(database, email, organisation), _audit(), secrets.token_urlsafe(32)
    generations = {
        str(member.user.user_id): member.standing.generation
        for member in await database.sign_ins.list_members(user.email)
        if member.user.user_id == user.user_id
    }
    if not generations:
        raise InvalidInput(f"{email} is disabled. Enable them first: undersign user enable {email}")
    link = SignInLink(digest(secret.encode()), user.email, "/app", audit.at + _LINK_LIFETIME, generations, _OPERATOR)
    if not await database.sign_ins.store_link(link, audit.at, LinkLimits()):
        raise InvalidInput(f"{email} has too many unused links. Wait until they expire.")
    await database.acts.add(user.organisation_id, audit, Change(ActKind.USER_SIGN_IN_LINK_MADE, user.user_id))
    address = f"{with_running_service(read_settings()).base_url}/app/sign-in/{secret}"
    print_result({**_members(user), "url": address, "until": rfc3339(link.ends_at)}, address, as_json=as_json)


@app.command(name="end-sign-ins")
@on_database
async def end_sign_ins(
    database: Repositories, email: EmailArgument, organisation: OnlyOrganisation = None, as_json: AsJson = False
) -> None:
    """End all sign-ins of a user in the app, who can sign in again."""
    user = await _find(database, email, organisation)
    await database.sign_ins.end_all(user.user_id)
    await database.acts.add(user.organisation_id, _audit(), Change(ActKind.USER_SIGN_INS_ENDED, user.user_id))
    print_result(_members(user), f"{user.name} ({email}) is signed out everywhere.", as_json=as_json)


def _audit() -> AuditContext:
    return AuditContext.of_system(datetime.now(UTC))


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
    times = ("invited_at", "accepted_at", "disabled_at")
    return members_of(user, "user_id", "organisation_id", "email", "name", "role", *times)
