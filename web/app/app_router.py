"""The routers of the app: the rights that their routes need, and their error pages."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from application.scopes import Scope
from asgi.dependencies import InjectedServices
from web.app.current_user import CurrentUser
from web.app.responses import redirect_to_sign_in
from web.errors import APP_ERROR_PAGES, CrossSiteDownload, ErrorPage, RightMissing, SignInRequired
from web.forms import check_same_origin
from web.html_response import render
from web.page_route import PageRoute, page_router
from web.texts import APP


def _check_origin_of_post(request: Request, services: InjectedServices) -> None:
    """Raises `CrossSitePost` if a page of another site posted the form."""
    if request.method == "POST":
        check_same_origin(request, services.base_url)


class RequiredRights:
    """A dependency that raises `RightMissing` unless the user has the right `read`; for a POST, `write`."""

    def __init__(self, read: str, write: str) -> None:
        self._read = read
        self._write = write

    def __call__(
        self,
        request: Request,
        _: Annotated[None, Depends(_check_origin_of_post)],  # before the sign-in is checked
        person: CurrentUser,
    ) -> None:
        if not person.may(self._write if request.method == "POST" else self._read):
            raise RightMissing


WRITERS_ONLY = Depends(RequiredRights(Scope.WRITE_SESSIONS, Scope.WRITE_SESSIONS))
"""The dependency of GET routes that confirm an action: they need the right to send sessions too."""


class AppRoute(PageRoute):
    """A route of the app. A missing resource and one of another organisation get the same error page."""

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
    """Returns a router for users with the right `read`; its POST routes need the right `write`."""
    router = open_router(path, is_counted=is_counted)
    router.dependencies.append(Depends(RequiredRights(read, write)))
    return router


def open_router(path: str = "", *, is_counted: bool = True) -> APIRouter:
    """Returns a router without access control: each route checks access itself."""
    return page_router(f"/app{path}", AppRoute, is_counted=is_counted)
