"""The routes of the pages of recipients, the outbox, the verify page and the home page."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from application.services import Services
from asgi.client_address import counted_networks
from asgi.dependencies import InjectedReader, get_services
from asgi.rate_limits import count_check, count_page
from domain.shared.ids import FileId
from web import assets
from web.app import routes as app
from web.error_pages import PageRoute
from web.form_bodies import check_same_origin
from web.mail_outbox import outbox_directory, show_mail, show_outbox
from web.rendering import render
from web.signing import theme_css
from web.signing.completed import download_sent, download_signed, show_completed, show_uploaded
from web.signing.decline import DeclinePage
from web.signing.document_images import document_image_response
from web.signing.invitation import open_documents, open_with_code, show_invitation
from web.signing.page_image_responses import page_image_response
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies, resolve_recipient
from web.signing.review import ReviewImages
from web.signing.saved_form import SavedFormPage
from web.signing.session_documents import DocumentReader
from web.signing.signing import SigningPage
from web.signing.typed_signature import preview_signature
from web.verify.page import show_form, verify_upload

_READ = ["GET", "HEAD"]  # mail scanners ask with HEAD

pages = APIRouter(route_class=PageRoute, include_in_schema=False, dependencies=[Depends(count_page)])
pictures = APIRouter(route_class=PageRoute, include_in_schema=False)  # a long document has hundreds: not counted
documents = DocumentReader(capacity=64)


async def get_shared(request: Request, services: Annotated[Services, Depends(get_services)]) -> Services:
    """Returns the services, with process pools shared fairly between network addresses."""
    return services.shared(f"address {tuple(counted_networks(request))[-1]}")


InjectedServices = Annotated[Services, Depends(get_shared)]


async def get_cookie(request: Request, services: InjectedServices, recipient_id: str) -> RecipientCookie:
    return RecipientCookies(services.keys.cookie, services.base_url).read(request, recipient_id)


async def get_page(request: Request, services: InjectedServices) -> SigningPage:
    return SigningPage(request, services, documents)


async def get_draft(request: Request, services: InjectedServices) -> SavedFormPage:
    return SavedFormPage(request, services, documents)


async def get_decline_page(request: Request, services: InjectedServices) -> DeclinePage:
    return DeclinePage(request, services)


async def get_access(
    reader: InjectedReader, cookie: Annotated[RecipientCookie, Depends(get_cookie)]
) -> RecipientAccess:
    return await resolve_recipient(reader, cookie.link)


def check_origin(request: Request, services: InjectedServices) -> None:
    check_same_origin(request, services.base_url)


InjectedCookie = Annotated[RecipientCookie, Depends(get_cookie)]
InjectedAccess = Annotated[RecipientAccess, Depends(get_access)]
InjectedPage = Annotated[SigningPage, Depends(get_page)]
InjectedDraft = Annotated[SavedFormPage, Depends(get_draft)]
InjectedDeclinePage = Annotated[DeclinePage, Depends(get_decline_page)]
OwnPagesOnly = Depends(check_origin)


@pages.api_route("/", methods=_READ)
async def start(request: Request, services: InjectedServices) -> Response:
    return render("home.html", has_outbox=outbox_directory(request, services) is not None)


@pages.api_route("/verify", methods=_READ)
async def verify() -> Response:
    return show_form()


@pages.post("/verify", dependencies=[OwnPagesOnly, Depends(count_check)])
async def verify_files(request: Request, services: InjectedServices) -> Response:
    return await verify_upload(request, services)


@pages.api_route("/sign/{token}", methods=_READ)
async def invitation(services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    return await show_invitation(services, reader, token)


@pages.post("/sign/{token}", dependencies=[OwnPagesOnly])
async def opening(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    return await open_documents(request, services, reader, token)


@pages.post("/sign/{token}/code", dependencies=[OwnPagesOnly])
async def opening_with_code(
    request: Request, services: InjectedServices, reader: InjectedReader, token: str
) -> Response:
    return await open_with_code(request, services, reader, token)


@pages.api_route("/signing/{recipient_id}", methods=_READ)
async def signing(page: InjectedPage, reader: InjectedReader, cookie: InjectedCookie) -> Response:
    access = await resolve_recipient(reader, cookie.link)
    return show_completed(access) if access.is_signed else await page.show(cookie, access)


@pages.post("/signing/{recipient_id}", dependencies=[OwnPagesOnly])
async def submission(page: InjectedPage, reader: InjectedReader, cookie: InjectedCookie) -> Response:
    return await page.accept(cookie, await resolve_recipient(reader, cookie.link))


@pages.post("/signing/{recipient_id}/draft", dependencies=[OwnPagesOnly])
async def draft(page: InjectedDraft, access: InjectedAccess, cookie: InjectedCookie) -> Response:
    return await page.accept(cookie, access)


@pages.post("/signing/{recipient_id}/hand", dependencies=[OwnPagesOnly])
async def handwriting(
    request: Request, services: InjectedServices, access: InjectedAccess, cookie: InjectedCookie
) -> Response:
    return await preview_signature(request, services, cookie, access)


@pages.api_route("/signing/{recipient_id}/decline", methods=_READ)
async def declining(page: InjectedDeclinePage, access: InjectedAccess, cookie: InjectedCookie) -> Response:
    return page.show(cookie, access)


@pages.post("/signing/{recipient_id}/decline", dependencies=[OwnPagesOnly])
async def refusal(page: InjectedDeclinePage, access: InjectedAccess, cookie: InjectedCookie) -> Response:
    return await page.accept(cookie, access)


@pages.api_route("/signing/{recipient_id}/document/{file_id}", methods=_READ)
async def signed_document(
    request: Request, services: InjectedServices, reader: InjectedReader, cookie: InjectedCookie, file_id: str
) -> Response:
    return await download_signed(services, await resolve_recipient(reader, cookie.link), FileId(file_id), request)


@pages.api_route("/signing/{recipient_id}/sent/{file_id}", methods=_READ)
async def sent_document(
    services: InjectedServices, reader: InjectedReader, cookie: InjectedCookie, file_id: str
) -> Response:
    return await download_sent(services, await resolve_recipient(reader, cookie.link), FileId(file_id))


@pages.api_route("/signing/{recipient_id}/reference/{file_id}", methods=_READ)
async def uploaded_document(services: InjectedServices, access: InjectedAccess, file_id: str) -> Response:
    return await show_uploaded(services, access, FileId(file_id))


@pictures.api_route("/signing/{recipient_id}/page/{file_id}/{number:int}", methods=_READ)
async def page_picture(services: InjectedServices, access: InjectedAccess, file_id: str, number: int) -> Response:
    return await page_image_response(services, access.session, FileId(file_id), number)


@pictures.api_route("/signing/{recipient_id}/review/{file_id}/{number:int}", methods=_READ)
async def review_picture(
    request: Request, services: InjectedServices, access: InjectedAccess, file_id: str, number: int
) -> Response:
    shown = ReviewImages(request, services, documents)
    return await shown.page_image(access, FileId(file_id), number)


@pages.api_route("/signing/{recipient_id}/image/{file_id}/{image_id}", methods=_READ)
async def document_image(services: InjectedServices, access: InjectedAccess, file_id: str, image_id: str) -> Response:
    return await document_image_response(services, access, FileId(file_id), image_id)


@pages.api_route("/outbox", methods=_READ)
async def outbox(request: Request, services: InjectedServices) -> Response:
    return await show_outbox(request, services)


@pages.api_route("/outbox/{file_name}", methods=_READ)
async def mail(request: Request, services: InjectedServices, file_name: str) -> Response:
    return await show_mail(request, services, file_name)


router = APIRouter()
router.include_router(pages)
router.include_router(pictures)
router.include_router(assets.router)
router.include_router(theme_css.router)
router.include_router(app.router)
