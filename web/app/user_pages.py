"""The users of the organisation: the list, the invitation of a new one, and a page for each.

`adapters.database.repositories.users` refuses a change that leaves the organisation without an administrator.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import Depends, Request, Response

from application.administration.add_user import add_user
from application.administration.read_entries import MAX_PERSON_NAME, InvalidEntry, read_email, read_line
from application.administration.welcome import send_welcome
from application.services import Services
from asgi.dependencies import InjectedServices
from domain.shared.roles import Role
from ports.database import EmailTaken, User
from web.app.app_router import ERROR_CODES, FormEntries, administration_router
from web.app.current_user import CurrentUser, InjectedForm, SignedInUser
from web.app.responses import NO_PROBLEMS, FlashMessage, flash_message_of, perform, redirect_with_flash, render_form
from web.errors import OUTAGES, PageNotFound
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = administration_router("/users")

_HERE = "/app/organisation/users"

read_name = partial(read_line, most=MAX_PERSON_NAME)


def read_role(text: str) -> Role:
    try:
        return Role(text)
    except ValueError as error:
        raise InvalidEntry(APP.role_missing) from error


async def get_user(services: InjectedServices, person: CurrentUser, user_id: str) -> User:
    """Returns the user of the organisation. Raises `PageNotFound`."""
    users = await services.users.list(person.organisation_id)
    found = next((user for user in users if user.user_id == user_id), None)
    if found is None:
        raise PageNotFound
    return found


OwnUser = Annotated[User, Depends(get_user)]


@router.api_route("", methods=READ)
async def show_users(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    users = await services.users.list(person.organisation_id)
    return render("app/users.html", person=person, users=users, flash=flash_message_of(request))


@router.api_route("/new", methods=READ)
async def show_invitation(person: CurrentUser) -> Response:
    return _invitation_page(person, {"role": Role.SENDER}, {})


@router.post("/new")
async def invite(services: InjectedServices, posted: InjectedForm) -> Response:
    """Adds the user and emails them a link; shows the page again with all problems."""
    person, entries = posted.person, FormEntries(posted.form)
    name, email = entries.read("name", read_name), entries.read("email", read_email)
    role = entries.read("role", read_role)
    if name is None or email is None or role is None:
        return _invitation_page(person, posted.form, entries.problems)
    try:
        user = await add_user(services.users, person.organisation_id, email, name, role)
    except EmailTaken:
        return _invitation_page(person, posted.form, {"email": APP.email_taken})
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="user-invited" if await _welcome(services, user, person) else "user-added")


async def _welcome(services: Services, user: User, person: SignedInUser) -> bool:
    try:
        return await send_welcome(services, user, person.organisation, person.user.name)
    except OUTAGES:  # the user has been added, and can request a link
        return False


def _invitation_page(person: SignedInUser, values: Mapping[str, str], problems: Mapping[str, str]) -> Response:
    return render_form("app/user-new.html", problems, person=person, values=values, roles=Role)


@router.api_route("/{user_id}", methods=READ)
async def show_user(request: Request, person: CurrentUser, user: OwnUser) -> Response:
    return _user_page(person, user, {"name": user.name, "role": user.role}, flash=flash_message_of(request))


@router.post("/{user_id}")
async def save_user(services: InjectedServices, posted: InjectedForm, user: OwnUser) -> Response:
    """Changes name and role; shows the page again with all problems."""
    entries = FormEntries(posted.form)
    name, role = entries.read("name", read_name), entries.read("role", read_role)
    if name is None or role is None:
        return _user_page(posted.person, user, posted.form, problems=entries.problems)
    is_resigning = user.user_id == posted.person.user.user_id and role is not Role.ADMINISTRATOR
    to = "/app/organisation" if is_resigning else _page_of(user)
    return await perform(_change(services, user, name, role), ERROR_CODES, _page_of(user), "user-saved", to)


async def _change(services: Services, user: User, name: str, role: Role) -> None:
    if role is not user.role:
        await services.users.change_role(user.user_id, role, keeps_administrator=True)
    await services.users.rename(user.user_id, name)


@router.post("/{user_id}/disable")
async def disable(services: InjectedServices, _: InjectedForm, user: OwnUser) -> Response:
    disabling = services.users.disable(user.user_id, datetime.now(UTC), keeps_administrator=True)
    return await perform(disabling, ERROR_CODES, _page_of(user), "user-disabled")


@router.post("/{user_id}/enable")
async def enable(services: InjectedServices, _: InjectedForm, user: OwnUser) -> Response:
    return await perform(services.users.enable(user.user_id), ERROR_CODES, _page_of(user), "user-enabled")


def _user_page(
    person: SignedInUser,
    user: User,
    values: Mapping[str, str],
    problems: Mapping[str, str] = NO_PROBLEMS,
    flash: FlashMessage | None = None,
) -> Response:
    return render_form("app/user.html", problems, person=person, user=user, values=values, roles=Role, flash=flash)


def _page_of(user: User) -> str:
    return f"{_HERE}/{user.user_id}"
