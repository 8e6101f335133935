"""The users of the organisation: the list, the invitation of a new one, and a page for each.

`adapters.database.repositories.users` refuses a change that leaves the organisation without an administrator.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from application.administration.add_user import NewUser
from application.administration.invite import TooManyInvitations, invite, invite_again
from application.read_entries import InvalidEntry, read_email, read_person_name
from application.services import Services
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, Change, differing
from domain.ports.database import EmailTaken, User
from domain.shared.roles import Role
from web.app.app_router import RECENT_SIGN_IN, FormEntries, administration_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import NO_PROBLEMS, flash_message_of, perform, redirect_with_flash, render_form
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES, PageNotFound
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = administration_router("/users")

_HERE = "/app/organisation/users"


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
async def invite_user(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Invites the user and emails them a link; shows the page again with all problems."""
    person, entries = posted.person, FormEntries(posted.form)
    name, email = entries.read("name", read_person_name), entries.read("email", read_email)
    role = entries.read("role", read_role)
    if name is None or email is None or role is None:
        return _invitation_page(person, posted.form, entries.problems)
    try:
        _, is_mailed = await invite(services, person.organisation, person.user, audit, NewUser(email, name, role))
    except EmailTaken:
        return _invitation_page(person, posted.form, {"email": APP.email_taken})
    except TooManyInvitations:
        return redirect_with_flash(_HERE, error="too-many-invitations")
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="user-invited" if is_mailed else "user-added")


def _invitation_page(person: SignedInUser, values: Mapping[str, str], problems: Mapping[str, str]) -> Response:
    return render_form("app/user-new.html", problems, person=person, values=values, roles=Role)


@router.api_route("/{user_id}", methods=READ)
async def show_user(request: Request, services: InjectedServices, person: CurrentUser, user: OwnUser) -> Response:
    values = {"name": user.name, "role": user.role}
    return await _user_page(services, person, user, values=values, flash=flash_message_of(request))


@router.post("/{user_id}", dependencies=[RECENT_SIGN_IN])
async def save_user(services: InjectedServices, posted: InjectedForm, user: OwnUser, audit: CurrentAudit) -> Response:
    """Changes name and role; shows the page again with all problems."""
    entries = FormEntries(posted.form)
    name, role = entries.read("name", read_person_name), entries.read("role", read_role)
    if name is None or role is None:
        return await _user_page(services, posted.person, user, entries.problems, values=posted.form)
    is_own_role = user.user_id == posted.person.user.user_id and role is not user.role
    to = "/app/organisation" if is_own_role else _page_of(user)
    return await perform(_change(services, user, audit, name, role), _page_of(user), "user-saved", to)


async def _change(services: Services, user: User, audit: AuditContext, name: str, role: Role) -> None:
    before, after = {"name": user.name, "role": user.role.value}, {"name": name, "role": role.value}
    if role is not user.role:
        await services.users.change_role(user.user_id, role, keeps_administrator=True)
    await services.users.rename(user.user_id, name)
    await _record(services, user, audit, differing(ActKind.USER_CHANGED, user.user_id, before, after))


async def _record(services: Services, user: User, audit: AuditContext, change: Change) -> None:
    await services.acts.add(user.organisation_id, audit, change)


@router.post("/{user_id}/disable")
async def disable(services: InjectedServices, _: InjectedForm, user: OwnUser, audit: CurrentAudit) -> Response:
    async def act() -> None:
        await services.users.disable(user.user_id, audit.at, keeps_administrator=True)
        await _record(services, user, audit, Change(ActKind.USER_DISABLED, user.user_id))

    return await perform(act(), _page_of(user), "user-disabled")


@router.post("/{user_id}/enable", dependencies=[RECENT_SIGN_IN])
async def enable(services: InjectedServices, _: InjectedForm, user: OwnUser, audit: CurrentAudit) -> Response:
    async def act() -> None:
        await services.users.enable(user.user_id)
        await _record(services, user, audit, Change(ActKind.USER_ENABLED, user.user_id))

    return await perform(act(), _page_of(user), "user-enabled")


@router.post("/{user_id}/invite")
async def send_invitation_again(
    services: InjectedServices, posted: InjectedForm, user: OwnUser, audit: CurrentAudit
) -> Response:
    """Emails an invited user another link."""
    person = posted.person
    if not user.is_pending:
        return redirect_with_flash(_page_of(user))
    try:
        is_mailed = await invite_again(services, person.organisation, person.user, audit, user)
    except TooManyInvitations:
        return redirect_with_flash(_page_of(user), error="too-many-invitations")
    except OUTAGES:
        return redirect_with_flash(_page_of(user), error="unavailable")
    return redirect_with_flash(_page_of(user), done="user-invited" if is_mailed else "user-added")


@router.post("/{user_id}/withdraw")
async def withdraw(services: InjectedServices, _: InjectedForm, user: OwnUser, audit: CurrentAudit) -> Response:
    """Deletes an open invitation."""

    async def act() -> None:
        if await services.users.withdraw(user.user_id):
            before = {"name": user.name, "email": user.email, "role": user.role.value}
            await _record(services, user, audit, Change(ActKind.INVITATION_WITHDRAWN, user.user_id, before))

    return await perform(act(), _page_of(user), "invitation-withdrawn", _HERE)


@router.post("/{user_id}/sign-ins/end")
async def end_sign_ins(
    services: InjectedServices, posted: InjectedForm, user: OwnUser, audit: CurrentAudit
) -> Response:
    """Ends the sign-in that the form names; all of them, if it names none."""
    named = posted.form.get("sign_in", "")

    async def act() -> None:
        if named:
            await services.sign_ins.end(named, user.user_id)
        else:
            await services.sign_ins.end_all(user.user_id)
        await _record(services, user, audit, Change(ActKind.USER_SIGN_INS_ENDED, user.user_id))

    return await perform(act(), _page_of(user), "sign-ins-ended")


async def _user_page(
    services: Services,
    person: SignedInUser,
    user: User,
    problems: Mapping[str, str] = NO_PROBLEMS,
    **context: object,
) -> Response:
    sign_ins = await services.sign_ins.list(user.user_id, datetime.now(UTC))
    shown = {"flash": None, **context}
    return render_form("app/user.html", problems, person=person, user=user, roles=Role, sign_ins=sign_ins, **shown)


def _page_of(user: User) -> str:
    return f"{_HERE}/{user.user_id}"
