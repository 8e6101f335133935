"""The emails that the signed-in user gets about the sessions that they sent."""

from fastapi import Request, Response

from application.scopes import Scope
from domain.session.outcome_mail_kinds import OutcomeMailKind
from web.app.app_router import app_router
from web.app.current_user import CurrentUser, InjectedForm
from web.app.responses import flash_message_of, redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ

router = app_router("/notifications", write=Scope.READ_SESSIONS)

_HERE = "/app/notifications"

KINDS = (
    OutcomeMailKind.DECLINED,
    OutcomeMailKind.COMPLETED,
    OutcomeMailKind.EXPIRED,
    OutcomeMailKind.SIGNED,
    OutcomeMailKind.DELEGATED,
)
"""The emails to choose from, in the order of the page."""


@router.api_route("", methods=READ)
async def show_notifications(request: Request, person: CurrentUser) -> Response:
    return render("app/notifications.html", person=person, kinds=KINDS, flash=flash_message_of(request))


@router.post("")
async def choose_notifications(services: InjectedServices, posted: InjectedForm) -> Response:
    """Stores the ticked kinds. Unknown kinds are ignored."""
    ticked = posted.form.getlist("kind")
    try:
        await services.users.choose_notifications(
            posted.person.user.user_id, [kind.value for kind in KINDS if kind.value in ticked]
        )
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="notifications")
