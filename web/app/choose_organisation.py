"""The page on which a person whose address is proved enters an organisation, or answers an invitation to one.

An invited user becomes a member only by accepting here. With several organisations, each button shows the beginning of
its organisation's identifier, because names need not differ.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from fastapi import Request, Response

from application.services import Services
from domain.audit.events import Actor, ActorKind
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.sign_ins import Member
from web.app.responses import flash_message_of
from web.app.sign_in_cookie import start_sign_in
from web.asgi.client_address import audit_context_of
from web.errors import SignInLinkUsed
from web.forms import PostedForm
from web.html_response import render

DECLINE = "decline"
"""The name of the button that declines an invitation. Its value is the user, as that of `user`, which accepts."""


def choice_page(request: Request, people: Sequence[Member], action: str, lead: str) -> Response:
    """Shows a button for each organisation and each invitation. The form is posted to `action`."""
    flash = flash_message_of(request)
    return render("app/choose-organisation.html", person=None, people=people, action=action, lead=lead, flash=flash)


async def enter(request: Request, services: Services, member: Member, return_to: str, *, by: str) -> Response:
    """Signs the member in. An invited user becomes a member first; raises `SignInLinkUsed` if that was withdrawn."""
    if member.user.is_pending:
        if not await services.users.accept(member.user.user_id, datetime.now(UTC)):
            raise SignInLinkUsed
        await _record(request, services, member, ActKind.INVITATION_ACCEPTED)
    return await start_sign_in(request, services, member, return_to, by=by)


async def decline(request: Request, services: Services, people: Sequence[Member], form: PostedForm) -> bool:
    """Deletes the open invitation that `form` declines. Returns whether there was one."""
    user_id = form.get(DECLINE)
    declined = next((member for member in people if member.user.user_id == user_id), None)
    if declined is None or not await services.users.withdraw(declined.user.user_id):
        return False
    await _record(request, services, declined, ActKind.INVITATION_DECLINED)
    return True


async def _record(request: Request, services: Services, member: Member, kind: ActKind) -> None:
    user = member.user
    audit = audit_context_of(request, Actor(kind=ActorKind.USER, id=user.user_id))
    await services.acts.add(user.organisation_id, audit, Change(kind, user.user_id))


def chosen_member(people: Sequence[Member], form: PostedForm) -> Member | None:
    """Returns the member whose button was pressed."""
    return next((member for member in people if member.user.user_id == form.get("user")), None)
