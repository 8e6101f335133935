"""The routes of the app: their errors are pages, and signed-out visitors are redirected to the sign-in page."""

from http import HTTPStatus
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.error_pages import APP_ERROR_PAGES, ErrorPage, PageRoute
from web.errors import CrossSiteDownload, SignInRequired
from web.rendering import render
from web.texts import APP


class AppRoute(PageRoute):
    """A route of the app. Its error pages never repeat the address: missing and foreign resources look the same."""

    error_pages = APP_ERROR_PAGES
    redirected = (SignInRequired, CrossSiteDownload)

    def respond_to(self, request: Request, error: Exception) -> Response:
        if isinstance(error, CrossSiteDownload):
            return RedirectResponse(error.page, HTTPStatus.SEE_OTHER)
        return redirect_to_sign_in(request) if isinstance(error, SignInRequired) else super().respond_to(request, error)

    def render(self, page: ErrorPage, error: Exception) -> Response:  # noqa: ARG002  # the signature of the base
        return render("app/error.html", page.status, error=APP.table(page.text), person=None)


def redirect_to_sign_in(request: Request, to: str | None = None) -> Response:
    """Redirects to the sign-in page, which leads to `to`; without it, to the page that `request` is about."""
    return RedirectResponse(f"/app/sign-in?{urlencode({'to': to or _page_of(request)})}", HTTPStatus.SEE_OTHER)


def _page_of(request: Request) -> str:
    if request.method == "GET" or request.url.path == "/app/authorize":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if "session_id" in request.path_params:
        return f"/app/sessions/{request.path_params['session_id']}"
    return "/app"
