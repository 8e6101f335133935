"""The organisation's page: its people, connected apps (`web.app.grants`), and paused webhook receivers."""

from datetime import UTC, datetime

from fastapi import Request, Response

from application.scopes import Scope
from asgi.dependencies import InjectedServices
from web.app.app_router import app_router
from web.app.current_user import CurrentUser
from web.app.grants import list_grants
from web.app.responses import flash_message_of
from web.html_response import render
from web.page_route import READ

router = app_router("/organisation", write=Scope.READ_SESSIONS)


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
