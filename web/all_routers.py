"""The routes of all pages, and the home page."""

from fastapi import Request, Response

from asgi.dependencies import InjectedServices
from web import assets, embed_script, identity_assets, mail_outbox, verify_page
from web.app import all_routers as app
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


@pages.api_route("/", methods=READ)
async def show_home(request: Request, services: InjectedServices) -> Response:
    return render("home.html", has_outbox=mail_outbox.outbox_directory(request, services) is not None)


ROUTERS = (
    pages,
    verify_page.router,
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
    embed_script.router,
    document_theme_colours.router,
    identity_assets.router,
    identity_assets.logos,
    *app.ROUTERS,
)
