"""The routes of the app."""

from fastapi import APIRouter, Depends, Response

from web.app import (
    appearance,
    batch_pages,
    bulk_actions,
    client_pages,
    consent,
    downloads,
    new_json,
    new_session,
    notifications,
    organisation,
    organisation_settings,
    provider_sign_in,
    session_actions,
    session_changes,
    session_list,
    session_page,
    sign_in_page,
    template_actions,
    template_editor,
    template_pages,
    user_pages,
    webhook_page,
)
from web.app.current_user import get_signed_in_user
from web.app.responses import app_router
from web.errors import PageNotFound
from web.page_route import READ

unknown = app_router(is_counted=False)


@unknown.api_route("/{rest:path}", methods=READ, dependencies=[Depends(get_signed_in_user)])
async def refuse_unknown_page() -> Response:
    raise PageNotFound


router = APIRouter()
for page in (
    provider_sign_in,  # before the links, whose secrets would match its paths
    sign_in_page,
    consent,
    session_list,
    bulk_actions,
    session_page,
    session_actions,
    session_changes,
    downloads,
    new_json,
    new_session,
    batch_pages,
    template_editor,
    template_actions,
    template_pages,
    organisation,
    user_pages,
    client_pages,
    webhook_page,
    organisation_settings,
    appearance,
    notifications,
):
    router.include_router(page.router)
for part in (session_page.images, template_pages.images, unknown):
    router.include_router(part)
