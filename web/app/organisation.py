"""The organisation's page: its people, connected apps, and paused webhook receivers."""

from datetime import UTC, datetime

from fastapi import Request, Response

from application.roles import ADMINISTER
from application.scopes import Scope
from asgi.dependencies import InjectedServices
from web.app.current_user import CurrentUser, InjectedForm
from web.app.responses import app_router, flash_message_of, redirect_with_flash
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ

router = app_router("/organisation", write=Scope.READ_SESSIONS)

_HERE = "/app/organisation"


@router.api_route("", methods=READ)
async def show_organisation(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    owner, now = person.organisation_id, datetime.now(UTC)
    return render(
        "app/organisation.html",
        person=person,
        people=await services.users.list(owner),
        grants=[
            (grant, await services.budgets.count_charged(grant.client.client_id, now.date()))
            for grant in await services.grants.list(owner, now)
        ],
        paused=await services.callbacks.paused(owner),
        flash=flash_message_of(request),
    )


@router.post("/end")
async def revoke_grant(services: InjectedServices, posted: InjectedForm) -> Response:
    """Revokes the grant that the form names, if it is one of the user, or of the organisation of an administrator."""
    now, client = datetime.now(UTC), posted.form.get("client", "")
    try:
        own = {
            grant.client.client_id
            for grant in await services.grants.list(posted.person.organisation_id, now)
            if posted.person.may(ADMINISTER) or grant.approved_by.user_id == posted.person.user.user_id
        }
        revoked = [await services.organisations.revoke_client(client_id, now) for client_id in own & {client}]
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="ended") if revoked else redirect_with_flash(_HERE, error="no-grant")
