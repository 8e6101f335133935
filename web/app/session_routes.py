"""The routes of a session in the app."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from asgi.dependencies import InjectedServices
from asgi.rate_limits import count_page
from domain.shared.ids import FileId
from web.app.current_user import CurrentUser, InjectedForm
from web.app.downloads import download_all, download_certificate, download_sent, download_signed
from web.app.errors import CrossSiteDownload
from web.app.rendering import AppRoute
from web.app.session_actions import SessionActions
from web.app.session_page import SessionPage
from web.form_bodies import is_own_request
from web.signing.page_image_responses import page_image_response

READ = ["GET", "HEAD"]

router = APIRouter(
    prefix="/app/sessions/{session_id}",
    route_class=AppRoute,
    include_in_schema=False,
    dependencies=[Depends(count_page)],
)


async def check_own_request(request: Request, session_id: str) -> None:
    """Raises `CrossSiteDownload` when another site requests a download: downloads are recorded with the user's name."""
    if not is_own_request(request):
        raise CrossSiteDownload(f"/app/sessions/{session_id}")


downloads = APIRouter(
    prefix="/app/sessions/{session_id}",
    route_class=AppRoute,
    include_in_schema=False,
    dependencies=[Depends(count_page), Depends(check_own_request)],
)
"""What somebody gets is recorded, so nothing but the person may ask for it."""

pictures = APIRouter(prefix="/app/sessions/{session_id}", route_class=AppRoute, include_in_schema=False)
"""Not counted: a long document has hundreds."""


def get_page(request: Request, services: InjectedServices, person: CurrentUser) -> SessionPage:
    return SessionPage(request, services, person)


def get_actions(request: Request, services: InjectedServices, posted: InjectedForm) -> SessionActions:
    return SessionActions(request, services, posted)


InjectedPage = Annotated[SessionPage, Depends(get_page)]
InjectedActions = Annotated[SessionActions, Depends(get_actions)]


@router.api_route("", methods=READ)
async def session(page: InjectedPage, session_id: str) -> Response:
    return await page.show(await page.find(session_id))


@router.post("/send")
async def send(actions: InjectedActions, session_id: str) -> Response:
    return await actions.send(session_id)


@router.post("/archive")
async def archive(actions: InjectedActions, session_id: str) -> Response:
    return await actions.archive(session_id)


@router.post("/restore")
async def restore(actions: InjectedActions, session_id: str) -> Response:
    return await actions.restore(session_id)


@router.api_route("/delete", methods=READ)
async def deleting(page: InjectedPage, session_id: str) -> Response:
    return page.confirm_deletion(await page.find(session_id))


@router.post("/delete")
async def delete(actions: InjectedActions, session_id: str) -> Response:
    return await actions.delete(session_id)


@router.post("/recipients/{recipient_id}/invite")
async def invite(actions: InjectedActions, session_id: str, recipient_id: str) -> Response:
    return await actions.invite(session_id, recipient_id)


@router.post("/callbacks/{event_id}/redeliver")
async def redeliver(actions: InjectedActions, session_id: str, event_id: str) -> Response:
    return await actions.redeliver(session_id, event_id)


@router.post("/resume")
async def resume(actions: InjectedActions, session_id: str) -> Response:
    return await actions.resume(session_id)


@downloads.get("/signed/{file_id}")
async def signed_document(page: InjectedPage, services: InjectedServices, session_id: str, file_id: str) -> Response:
    return await download_signed(services, await page.find(session_id), file_id, page.audit)


@router.api_route("/sent/{file_id}", methods=READ)
async def sent_document(page: InjectedPage, services: InjectedServices, session_id: str, file_id: str) -> Response:
    return await download_sent(services, await page.find(session_id), file_id)


@downloads.get("/certificate")
async def certificate(page: InjectedPage, services: InjectedServices, session_id: str) -> Response:
    return await download_certificate(services, await page.find(session_id), page.audit)


@downloads.get("/all")
async def all_documents(page: InjectedPage, services: InjectedServices, session_id: str) -> Response:
    return await download_all(services, await page.find(session_id), page.audit)


@router.api_route("/pages/{file_id}", methods=READ)
async def pages(page: InjectedPage, session_id: str, file_id: str) -> Response:
    return await page.show_pages(await page.find(session_id), file_id)


@pictures.api_route("/pages/{file_id}/{number:int}", methods=READ)
async def page_picture(
    page: InjectedPage, services: InjectedServices, session_id: str, file_id: str, number: int
) -> Response:
    return await page_image_response(services, await page.find(session_id), FileId(file_id), number)
