"""`undersign user`: the people of an organisation, who log in to see to its sessions."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated
from uuid import uuid4

import typer

from adapters.database.port import EmailTaken, User, Users
from api.cli.answers import AsJson, Members, tell, tell_list
from api.cli.arguments import EmailArgument, OnlyOrganisation, OrganisationArgument, one_line
from api.cli.failures import NotConfigured
from api.cli.organisations import get_organisation
from api.cli.reading import read_settings
from api.cli.registry import open_registry
from domain.ids import OrganisationId, UserId
from domain.times import rfc3339

app = typer.Typer(help="Users: the people of an organisation.", no_args_is_help=True)

FromStdin = Annotated[
    bool,
    typer.Option(
        "--password-stdin",
        help="Read the password from the first line of the standard input; left out, a one-time password is made.",
    ),
]
_COLUMNS = {"email": "EMAIL", "name": "NAME", "organisationId": "ORGANISATION", "disabledAt": "DISABLED"}


@app.command()
def add(
    organisation: OrganisationArgument,
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", callback=one_line(100), help="Their full name.")],
    password_stdin: FromStdin = False,
    as_json: AsJson = False,
) -> None:
    """Add a person. Of their password only a hash is kept; a one-time password is shown once."""
    password = _password(password_stdin)
    user = asyncio.run(_add(OrganisationId(organisation), email, name, password))
    _tell_password(f"Added {name}, who logs in as {email}.", user, password, as_json=as_json)


@app.command(name="list")
def list_(organisation: OnlyOrganisation = None, as_json: AsJson = False) -> None:
    """List people, disabled ones too."""
    found = asyncio.run(_list(OrganisationId(organisation) if organisation else None))
    tell_list("users", [_members(user) for user in found], _COLUMNS, as_json=as_json)


@app.command()
def disable(email: EmailArgument, as_json: AsJson = False) -> None:
    """Keep a person out."""
    user = asyncio.run(_disable(email))
    tell(_members(user), f"{user.name} ({email}) does not get in any more.", as_json=as_json)


@app.command()
def enable(email: EmailArgument, as_json: AsJson = False) -> None:
    """Let a person in again who was disabled."""
    user = asyncio.run(_enable(email))
    tell(_members(user), f"{user.name} ({email}) gets in again.", as_json=as_json)


@app.command(name="reset-password")
def reset_password(email: EmailArgument, password_stdin: FromStdin = False, as_json: AsJson = False) -> None:
    """Give a person another password. The one before does not work any more."""
    password = _password(password_stdin)
    user = asyncio.run(_reset(email, password))
    _tell_password(f"{user.name} ({email}) has a new password.", user, password, as_json=as_json)


class _Password:
    """A password that an operator gives; `is_temporary` when it was made here and has to be shown."""

    def __init__(self, text: str, *, is_temporary: bool) -> None:
        self.text = text
        self.is_temporary = is_temporary

    def hash(self) -> str:
        # Loading what hashes takes longer than most commands, which need none of it.
        from adapters.passwords import hash_password  # noqa: PLC0415

        return hash_password(self.text)


def _password(from_stdin: bool) -> _Password:
    from adapters.passwords import LONGEST, SHORTEST, new_password  # noqa: PLC0415

    if not from_stdin:
        return _Password(new_password(), is_temporary=True)
    text = sys.stdin.readline().rstrip("\r\n")
    if not SHORTEST <= len(text) <= LONGEST:
        raise NotConfigured(f"A password has {SHORTEST} to {LONGEST} characters; nothing was changed.")
    return _Password(text, is_temporary=False)


async def _add(organisation_id: OrganisationId, email: str, name: str, password: _Password) -> User:
    async with open_registry(read_settings()) as registry:
        await get_organisation(registry.organisations, organisation_id)
        user = User(
            user_id=UserId(str(uuid4())),
            organisation_id=organisation_id,
            email=email,
            name=name,
            password_hash=password.hash(),
            password_is_temporary=password.is_temporary,
        )
        try:
            await registry.users.add(user)
        except EmailTaken as error:
            raise NotConfigured(
                f"Somebody logs in as {email} already. See undersign user list, or give another address."
            ) from error
        return user


async def _list(organisation_id: OrganisationId | None) -> tuple[User, ...]:
    async with open_registry(read_settings()) as registry:
        if organisation_id is not None:
            await get_organisation(registry.organisations, organisation_id)
        return await registry.users.list(organisation_id)


async def _disable(email: str) -> User:
    async with _found(email) as (users, user):
        await users.disable(user.user_id, datetime.now(UTC))
        return await users.find_by_email(email) or user


async def _enable(email: str) -> User:
    async with _found(email) as (users, user):
        await users.enable(user.user_id)
        return replace(user, disabled_at=None)


async def _reset(email: str, password: _Password) -> User:
    async with _found(email) as (users, user):
        await users.set_password(user.user_id, password.hash(), is_temporary=password.is_temporary)
        return replace(user, password_is_temporary=password.is_temporary)


@asynccontextmanager
async def _found(email: str) -> AsyncIterator[tuple[Users, User]]:
    async with open_registry(read_settings()) as registry:
        user = await registry.users.find_by_email(email)
        if user is None:
            raise NotConfigured(f"Nobody logs in as {email}. See undersign user list.")
        yield registry.users, user


def _tell_password(what: str, user: User, password: _Password, *, as_json: bool) -> None:
    shown = {"oneTimePassword": password.text} if password.is_temporary else {}
    lines = [
        "Hand on the password now, it is not shown again; it has to be replaced at the first login.",
        f"  one-time password  {password.text}",
    ]
    tell({**_members(user), **shown}, what, *(lines if password.is_temporary else ()), as_json=as_json)


def _members(user: User) -> Members:
    return {
        "userId": user.user_id,
        "organisationId": user.organisation_id,
        "email": user.email,
        "name": user.name,
        "passwordIsTemporary": user.password_is_temporary,
        "disabledAt": rfc3339(user.disabled_at) if user.disabled_at else None,
    }
