"""Pages for people: the recipient's way from the link to the signed copy, the local outbox, the front door."""

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
from web.outbox import outbox_for, show_mail, show_outbox
from web.rendering import render
from web.signing import theme_css
from web.signing.completed import hand_out_sent, hand_out_signed, show_finished, show_uploaded
from web.signing.decline import DecliningPage
from web.signing.document_images import hand_out_image
from web.signing.invitation import open_documents, open_with_code, show_invitation
from web.signing.page_image_responses import hand_out_page
from web.signing.recipient_access import Turn, Visit, Visits, find_turn
from web.signing.review import ReviewPictures
from web.signing.saved_form import DraftPage
from web.signing.session_documents import DocumentReader
from web.signing.signing import SigningPage
from web.signing.typed_signature import show_handwriting
from web.verify.page import answer_upload, show_form

_READ = ["GET", "HEAD"]  # mail scanners ask with HEAD

pages = APIRouter(route_class=PageRoute, include_in_schema=False, dependencies=[Depends(count_page)])
pictures = APIRouter(route_class=PageRoute, include_in_schema=False)  # a long document has hundreds: not counted
documents = DocumentReader(capacity=64)


async def get_shared(request: Request, services: Annotated[Services, Depends(get_services)]) -> Services:
    """The services, of which no network address takes the pools for itself alone."""
    return services.shared(f"address {tuple(counted_networks(request))[-1]}")


InjectedServices = Annotated[Services, Depends(get_shared)]


async def get_visit(request: Request, services: InjectedServices, recipient_id: str) -> Visit:
    return Visits(services.keys.cookie, services.base_url).read(request, recipient_id)


async def get_page(request: Request, services: InjectedServices) -> SigningPage:
    return SigningPage(request, services, documents)


async def get_draft(request: Request, services: InjectedServices) -> DraftPage:
    return DraftPage(request, services, documents)


async def get_declining(request: Request, services: InjectedServices) -> DecliningPage:
    return DecliningPage(request, services)


async def get_turn(reader: InjectedReader, visit: Annotated[Visit, Depends(get_visit)]) -> Turn:
    return await find_turn(reader, visit.link)


def check_origin(request: Request, services: InjectedServices) -> None:
    check_same_origin(request, services.base_url)


InjectedVisit = Annotated[Visit, Depends(get_visit)]
InjectedTurn = Annotated[Turn, Depends(get_turn)]
InjectedPage = Annotated[SigningPage, Depends(get_page)]
InjectedDraft = Annotated[DraftPage, Depends(get_draft)]
InjectedDeclining = Annotated[DecliningPage, Depends(get_declining)]
OwnPagesOnly = Depends(check_origin)


@pages.api_route("/", methods=_READ)
async def start(request: Request, services: InjectedServices) -> Response:
    return render(request, "start.html", has_outbox=outbox_for(request, services) is not None)


@pages.api_route("/verify", methods=_READ)
async def verify(request: Request) -> Response:
    return show_form(request)


@pages.post("/verify", dependencies=[OwnPagesOnly, Depends(count_check)])
async def verify_files(request: Request, services: InjectedServices) -> Response:
    return await answer_upload(request, services)


@pages.api_route("/sign/{token}", methods=_READ)
async def invitation(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    return await show_invitation(request, services, reader, token)


@pages.post("/sign/{token}", dependencies=[OwnPagesOnly])
async def opening(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    return await open_documents(request, services, reader, token)


@pages.post("/sign/{token}/code", dependencies=[OwnPagesOnly])
async def opening_with_code(
    request: Request, services: InjectedServices, reader: InjectedReader, token: str
) -> Response:
    return await open_with_code(request, services, reader, token)


@pages.api_route("/signing/{recipient_id}", methods=_READ)
async def signing(request: Request, page: InjectedPage, reader: InjectedReader, visit: InjectedVisit) -> Response:
    turn = await find_turn(reader, visit.link)
    return show_finished(request, turn) if turn.is_signed else await page.show(visit, turn)


@pages.post("/signing/{recipient_id}", dependencies=[OwnPagesOnly])
async def submission(page: InjectedPage, reader: InjectedReader, visit: InjectedVisit) -> Response:
    return await page.accept(visit, await find_turn(reader, visit.link))


@pages.post("/signing/{recipient_id}/draft", dependencies=[OwnPagesOnly])
async def draft(page: InjectedDraft, turn: InjectedTurn, visit: InjectedVisit) -> Response:
    return await page.accept(visit, turn)


@pages.post("/signing/{recipient_id}/hand", dependencies=[OwnPagesOnly])
async def handwriting(
    request: Request, services: InjectedServices, turn: InjectedTurn, visit: InjectedVisit
) -> Response:
    return await show_handwriting(request, services, visit, turn)


@pages.api_route("/signing/{recipient_id}/decline", methods=_READ)
async def declining(page: InjectedDeclining, turn: InjectedTurn, visit: InjectedVisit) -> Response:
    return page.show(visit, turn)


@pages.post("/signing/{recipient_id}/decline", dependencies=[OwnPagesOnly])
async def refusal(page: InjectedDeclining, turn: InjectedTurn, visit: InjectedVisit) -> Response:
    return await page.accept(visit, turn)


@pages.api_route("/signing/{recipient_id}/document/{file_id}", methods=_READ)
async def signed_document(
    request: Request, services: InjectedServices, reader: InjectedReader, visit: InjectedVisit, file_id: str
) -> Response:
    return await hand_out_signed(services, await find_turn(reader, visit.link), FileId(file_id), request)


@pages.api_route("/signing/{recipient_id}/sent/{file_id}", methods=_READ)
async def sent_document(
    services: InjectedServices, reader: InjectedReader, visit: InjectedVisit, file_id: str
) -> Response:
    return await hand_out_sent(services, await find_turn(reader, visit.link), FileId(file_id))


@pages.api_route("/signing/{recipient_id}/reference/{file_id}", methods=_READ)
async def uploaded_document(services: InjectedServices, turn: InjectedTurn, file_id: str) -> Response:
    return await show_uploaded(services, turn, FileId(file_id))


@pictures.api_route("/signing/{recipient_id}/page/{file_id}/{number:int}", methods=_READ)
async def page_picture(services: InjectedServices, turn: InjectedTurn, file_id: str, number: int) -> Response:
    return await hand_out_page(services, turn.session, FileId(file_id), number)


@pictures.api_route("/signing/{recipient_id}/review/{file_id}/{number:int}", methods=_READ)
async def review_picture(
    request: Request, services: InjectedServices, turn: InjectedTurn, file_id: str, number: int
) -> Response:
    shown = ReviewPictures(request, services, documents)
    return await shown.record_download(turn, FileId(file_id), number)


@pages.api_route("/signing/{recipient_id}/image/{file_id}/{image_id}", methods=_READ)
async def document_image(services: InjectedServices, turn: InjectedTurn, file_id: str, image_id: str) -> Response:
    return await hand_out_image(services, turn, FileId(file_id), image_id)


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
