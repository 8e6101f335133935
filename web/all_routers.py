"""The routes of all pages, the home page, and the error page of unknown addresses of the app."""

from fastapi import Depends, Request, Response

from web import assets, help_page, identity_assets, mail_outbox, verify_page
from web.app import (
    appearance,
    batch_pages,
    bulk_actions,
    client_pages,
    consent,
    downloads,
    entered_values,
    json_editor,
    new_session,
    notifications,
    organisation_page,
    organisation_settings,
    provider_sign_in,
    session_actions,
    session_edits,
    session_list,
    session_page,
    sign_here,
    sign_in_page,
    sign_ins_page,
    template_actions,
    template_editor,
    template_pages,
    user_pages,
    webhook_page,
)
from web.app.app_router import app_router
from web.app.current_user import get_signed_in_user
from web.asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ, page_router
from web.signing import (
    approval,
    completed,
    decline,
    delegation,
    document_theme_colours,
    invitation,
    open_signing_url,
    page_images,
    review,
    saved_form,
    signing_page,
    submit_form,
)

pages = page_router()
unknown = app_router(is_counted=False)


@pages.api_route("/", methods=READ)
async def show_home(request: Request, services: InjectedServices) -> Response:
    return render("home.html", has_outbox=mail_outbox.outbox_directory(request, services) is not None)


@unknown.api_route("/{rest:path}", methods=READ, dependencies=[Depends(get_signed_in_user)])
async def refuse_unknown_page() -> Response:
    raise PageNotFound


_OF_APP = (
    provider_sign_in.router,  # before sign_in_page, where /sign-in/{secret} would match its paths
    sign_in_page.router,
    consent.router,
    session_list.router,
    bulk_actions.router,
    session_page.router,
    session_actions.router,
    session_edits.router,
    sign_here.router,
    downloads.router,
    entered_values.router,
    json_editor.router,
    new_session.router,
    batch_pages.router,
    template_editor.router,
    template_actions.router,
    template_pages.router,
    organisation_page.router,
    user_pages.router,
    client_pages.router,
    webhook_page.router,
    organisation_settings.router,
    appearance.router,
    notifications.router,
    sign_ins_page.router,
    session_page.images,
    template_pages.images,
    unknown,
)

ROUTERS = (
    pages,
    verify_page.router,
    help_page.router,
    mail_outbox.router,
    invitation.router,
    open_signing_url.router,
    signing_page.router,
    submit_form.router,
    approval.router,
    saved_form.router,
    decline.router,
    delegation.router,
    completed.router,
    page_images.router,
    page_images.page_images,
    review.page_images,
    assets.router,
    assets.embed_router,
    document_theme_colours.router,
    identity_assets.router,
    identity_assets.logos,
    *_OF_APP,
)
