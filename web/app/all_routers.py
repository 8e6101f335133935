"""The routes of the app."""

from fastapi import Depends, Response

from web.app import (
    appearance,
    batch_pages,
    bulk_actions,
    client_pages,
    consent,
    downloads,
    grants,
    new_json,
    new_session,
    notifications,
    organisation,
    organisation_settings,
    provider_sign_in,
    session_actions,
    session_edits,
    session_list,
    session_page,
    sign_in_page,
    template_actions,
    template_editor,
    template_pages,
    user_pages,
    webhook_page,
)
from web.app.app_router import app_router
from web.app.current_user import get_signed_in_user
from web.errors import PageNotFound
from web.page_route import READ

unknown = app_router(is_counted=False)


@unknown.api_route("/{rest:path}", methods=READ, dependencies=[Depends(get_signed_in_user)])
async def refuse_unknown_page() -> Response:
    raise PageNotFound


ROUTERS = (
    provider_sign_in.router,  # before sign_in_page, where /sign-in/{secret} would match its paths
    sign_in_page.router,
    consent.router,
    session_list.router,
    bulk_actions.router,
    session_page.router,
    session_actions.router,
    session_edits.router,
    downloads.router,
    new_json.router,
    new_session.router,
    batch_pages.router,
    template_editor.router,
    template_actions.router,
    template_pages.router,
    organisation.router,
    grants.router,
    user_pages.router,
    client_pages.router,
    webhook_page.router,
    organisation_settings.router,
    appearance.router,
    notifications.router,
    session_page.images,
    template_pages.images,
    unknown,
)
