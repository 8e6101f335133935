"""The organisation's page: its people, paused webhook receivers, and connected apps (grants), which it revokes."""

from datetime import UTC, datetime

from fastapi import Request, Response

from application.administration.api_clients import ClientAdministration
from application.role_rights import ADMINISTER
from application.scopes import Scope
from application.services import Services
from domain.ports.oauth_grants import Grant
from domain.shared.ids import OrganisationId
from web.app.app_router import app_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm
from web.app.responses import flash_message_of, redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ

router = app_router("/organisation", write=Scope.READ_SESSIONS)

_HERE = "/app/organisation"


async def list_grants(services: Services, owner: OrganisationId, at: datetime) -> list[tuple[Grant, int]]:
    """Returns the grants of the organisation, each with the number of recipients that it has emailed today."""
    return [
        (grant, await services.budgets.count_charged(grant.client.client_id, at.date()))
        for grant in await services.grants.list(owner, at)
    ]


@router.post("/end")
async def revoke_grant(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Revokes the grant that the form names. Users revoke the grants that they approved, administrators all grants."""
    now, client = datetime.now(UTC), posted.form.get("client", "")
    try:
        own = [
            grant.client
            for grant in await services.grants.list(posted.person.organisation_id, now)
            if posted.person.may(ADMINISTER) or grant.approved_by.user_id == posted.person.user.user_id
        ]
        clients = ClientAdministration(services.organisations, services.acts, audit)
        revoked = [one for one in own if one.client_id == client]
        for one in revoked:
            await clients.revoke(one)
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="ended") if revoked else redirect_with_flash(_HERE, error="no-grant")


@router.api_route("", methods=READ)
async def show_organisation(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    owner, now = person.organisation_id, datetime.now(UTC)
    return render(
        "app/organisation.html",
        person=person,
        people=await services.users.list(owner),
        grants=await list_grants(services, owner, now),
        paused=await services.callbacks.paused(owner),
        flash=flash_message_of(request),
    )
