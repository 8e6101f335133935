"""The page that opens the documents for a recipient: in this browser, or by an address to pass on to them."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Response
from fastapi.responses import RedirectResponse

from application.schemas.signing_urls import SigningUrlCreate, SigningUrlCreated
from application.scopes import Scope
from application.sessions.create_signing_url import create_signing_url
from domain.session.session import Session
from domain.shared import errors
from domain.shared.errors import CodedError
from domain.shared.ids import RecipientId
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import error_key, redirect_with_flash
from web.app.session_page import OwnSession, may_open
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ
from web.signing.open_signing_url import CONFIRMED_FIRST

router = app_router(
    "/sessions/{session_id}/recipients/{recipient_id}", read=Scope.WRITE_SIGNING_URLS, write=Scope.WRITE_SIGNING_URLS
)

_KEYS: Mapping[type[CodedError], str] = {
    errors.SessionNotActive: "not-opened",
    errors.RecipientNotActive: "not-opened",
}


@router.api_route("/sign-here", methods=READ)
async def show_ways(person: CurrentUser, session: OwnSession, recipient_id: RecipientId) -> Response:
    """Shows both ways. Redirects to the session's page if it is not the recipient's turn."""
    if not may_open(session, session.recipient(recipient_id)):
        return redirect_with_flash(f"/app/sessions/{session.session_id}", error="not-opened")
    return _page(person, session, recipient_id)


@router.post("/sign-here")
async def open_documents(
    services: InjectedServices,
    posted: InjectedForm,
    session: OwnSession,
    caller: CurrentCaller,
    recipient_id: RecipientId,
) -> Response:
    """Opens the documents in this browser, or shows an address that opens them."""
    try:
        created = await create_signing_url(services, caller, session, recipient_id, SigningUrlCreate())
    except CodedError as error:
        return redirect_with_flash(f"/app/sessions/{session.session_id}", error=error_key(error, _KEYS))
    if posted.form.get("way") == "here":
        return RedirectResponse(created.url, HTTPStatus.SEE_OTHER)
    return _page(posted.person, session, recipient_id, created)


def _page(
    person: SignedInUser, session: Session, recipient_id: RecipientId, created: SigningUrlCreated | None = None
) -> Response:
    return render(
        "app/sign-here.html",
        person=person,
        session=session,
        recipient=session.recipient(recipient_id),
        url=f"{created.url}?{CONFIRMED_FIRST}" if created else "",
    )
