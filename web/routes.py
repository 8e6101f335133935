"""The routes of all pages, and the home page."""

from fastapi import APIRouter, Request, Response

from asgi.dependencies import InjectedServices
from web import assets, embed_script, identity_assets, mail_outbox, verify_page
from web.app import routes as app
from web.html_response import render
from web.page_route import READ, page_router
from web.signing import (
    approval,
    completed,
    decline,
    delegation,
    document_theme_css,
    images,
    invitation,
    review,
    saved_form,
    signing_page,
    signing_url,
)

pages = page_router()


@pages.api_route("/", methods=READ)
async def show_home(request: Request, services: InjectedServices) -> Response:
    return render("home.html", has_outbox=mail_outbox.outbox_directory(request, services) is not None)


router = APIRouter()
router.include_router(pages)
for page in (verify_page, mail_outbox, invitation, signing_url, signing_page, approval, saved_form, decline):
    router.include_router(page.router)
for page in (delegation, completed, images):
    router.include_router(page.router)
for part in (
    images.page_images,
    review.page_images,
    assets.router,
    embed_script.router,
    document_theme_css.router,
    identity_assets.router,
    identity_assets.logos,
    app.router,
):
    router.include_router(part)
