"""Responses of the app: error pages, redirects to the sign-in page, and flash messages named by the query."""

from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from application.scopes import Scope
from web.app.route_rights import RouteRights
from web.errors import APP_ERROR_PAGES, CrossSiteDownload, ErrorPage, SignInRequired
from web.html_response import render
from web.page_route import PageRoute, page_router
from web.texts import APP


class AppRoute(PageRoute):
    """A route of the app. Its error pages never repeat the address: missing and foreign resources look the same."""

    error_pages = APP_ERROR_PAGES
    redirected = (SignInRequired, CrossSiteDownload)

    async def respond_to(self, request: Request, error: Exception) -> Response:
        if isinstance(error, CrossSiteDownload):
            return RedirectResponse(error.page, HTTPStatus.SEE_OTHER)
        return (
            redirect_to_sign_in(request)
            if isinstance(error, SignInRequired)
            else await super().respond_to(request, error)
        )

    def render(self, page: ErrorPage, error: Exception, sender: object = None) -> Response:  # noqa: ARG002  # as the base
        return render("app/error.html", page.status, error=APP.table(page.text), person=None)


def app_router(
    path: str = "", *, read: str = Scope.READ_SESSIONS, write: str = Scope.WRITE_SESSIONS, is_counted: bool = True
) -> APIRouter:
    """Returns a router for users with the right `read`, of which the forms need the right `write`."""
    router = open_router(path, is_counted=is_counted)
    router.dependencies.append(Depends(RouteRights(read, write)))
    return router


def open_router(path: str = "", *, is_counted: bool = True) -> APIRouter:
    """Returns a router whose routes check themselves who may use them."""
    return page_router(f"/app{path}", AppRoute, is_counted=is_counted)


def redirect_to_sign_in(request: Request, to: str | None = None) -> Response:
    """Redirects to the sign-in page, which leads to `to`; without it, to the page that `request` is about."""
    return RedirectResponse(f"/app/sign-in?{urlencode({'to': to or _page_of(request)})}", HTTPStatus.SEE_OTHER)


def _page_of(request: Request) -> str:
    if request.method == "GET" or request.url.path == "/app/authorize":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if "session_id" in request.path_params:
        return f"/app/sessions/{request.path_params['session_id']}"
    return "/app"


class FlashMessage(NamedTuple):
    """The result of an action in one sentence. `is_error`: the action changed nothing."""

    text: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", error: str = "") -> Response:
    """Redirects to `path`, which shows the sentence called `done` or `error`."""
    query = f"?done={done}" if done else f"?error={error}" if error else ""
    return RedirectResponse(f"{path}{query}", HTTPStatus.SEE_OTHER)


def flash_message_of(request: Request) -> FlashMessage | None:
    """Returns the message that the address of `request` names; None without one, or for an unknown name."""
    for parameter, table in (("error", "errors"), ("done", "done")):
        text = APP.table(table).get(request.query_params.get(parameter, ""))
        if text is not None:
            return FlashMessage(text, is_error=parameter == "error")
    return None
