"""The routers of the app: the rights that their routes need, and their error pages."""

from http import HTTPStatus

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from application.scopes import Scope
from web.app.required_rights import RequiredRights
from web.app.responses import redirect_to_sign_in
from web.errors import APP_ERROR_PAGES, CrossSiteDownload, ErrorPage, SignInRequired
from web.html_response import render
from web.page_route import PageRoute, page_router
from web.texts import APP


class AppRoute(PageRoute):
    """A route of the app. Its error pages never repeat the address: missing and foreign resources look the same."""

    error_pages = APP_ERROR_PAGES
    redirected = (SignInRequired, CrossSiteDownload)
    is_translated = False

    async def respond_to(self, request: Request, error: Exception) -> Response:
        if isinstance(error, CrossSiteDownload):
            return RedirectResponse(error.page, HTTPStatus.SEE_OTHER)
        return (
            redirect_to_sign_in(request)
            if isinstance(error, SignInRequired)
            else await super().respond_to(request, error)
        )

    def render(self, page: ErrorPage, error: Exception, setting: object = None) -> Response:  # noqa: ARG002  # as the base
        return render("app/error.html", page.status, error=APP.table(page.text), person=None)


def app_router(
    path: str = "", *, read: str = Scope.READ_SESSIONS, write: str = Scope.WRITE_SESSIONS, is_counted: bool = True
) -> APIRouter:
    """Returns a router for users with the right `read`, of which the forms need the right `write`."""
    router = open_router(path, is_counted=is_counted)
    router.dependencies.append(Depends(RequiredRights(read, write)))
    return router


def open_router(path: str = "", *, is_counted: bool = True) -> APIRouter:
    """Returns a router whose routes check themselves who may use them."""
    return page_router(f"/app{path}", AppRoute, is_counted=is_counted)
