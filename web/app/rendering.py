"""Pages of the app: the frame around each, and errors as pages of the same looks."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from operator import attrgetter
from urllib.parse import urlencode

import structlog
from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from application.errors import CallbackNotFound, HistoryNotWhole, RateLimited, TemplateNotFound
from application.oauth.authorization import NotAskable
from domain.shared import errors as domain_errors
from ports.database import DatabaseUnavailable
from ports.object_store import ObjectStoreError
from ports.process_pool import PoolBusy, ProcessDied
from web import errors
from web.app.current_user import SignedInUser
from web.app.errors import CrossSiteDownload, SignInLinkUsed, SignInRequired
from web.app.texts import AppTexts, app_texts_for
from web.error_pages import RETRY_SECONDS, PageRoute
from web.rendering import render
from web.texts import Notice

log = structlog.get_logger(__name__)

_NOT_FOUND = HTTPStatus.NOT_FOUND
_FORBIDDEN = HTTPStatus.FORBIDDEN
_UNAVAILABLE = HTTPStatus.SERVICE_UNAVAILABLE

Row = tuple[HTTPStatus, Callable[[AppTexts], Notice]]
_NOTHING: Row = (_NOT_FOUND, attrgetter("not_found"))
_AWAY: Row = (_UNAVAILABLE, attrgetter("unavailable"))
_NOT_READY: Row = (HTTPStatus.CONFLICT, attrgetter("not_ready"))

ERROR_PAGES: Mapping[type[Exception], Row] = {
    domain_errors.SessionNotFound: _NOTHING,
    domain_errors.FileNotFound: _NOTHING,
    domain_errors.RecipientNotFound: _NOTHING,
    TemplateNotFound: _NOTHING,
    CallbackNotFound: _NOTHING,
    errors.PageNotFound: _NOTHING,
    domain_errors.SessionNotCompleted: _NOT_READY,
    domain_errors.DocumentNotReady: _NOT_READY,
    domain_errors.DocumentsDiffer: (HTTPStatus.CONFLICT, attrgetter("documents_differ")),
    HistoryNotWhole: (HTTPStatus.INTERNAL_SERVER_ERROR, attrgetter("history_not_whole")),
    domain_errors.Unavailable: _AWAY,
    DatabaseUnavailable: _AWAY,
    ObjectStoreError: _AWAY,
    PoolBusy: _AWAY,
    ProcessDied: _AWAY,
    SignInLinkUsed: (HTTPStatus.GONE, attrgetter("link_used")),
    NotAskable: (HTTPStatus.BAD_REQUEST, attrgetter("not_askable")),
    errors.CrossSitePost: (_FORBIDDEN, attrgetter("cross_site")),
    errors.FormOutOfDate: (_FORBIDDEN, attrgetter("form_out_of_date")),
    errors.FormTooLarge: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, attrgetter("form_not_form")),
    errors.NotAForm: (HTTPStatus.BAD_REQUEST, attrgetter("form_not_form")),
    RateLimited: (HTTPStatus.TOO_MANY_REQUESTS, attrgetter("too_many")),
}


OUTAGES = tuple(kind for kind, row in ERROR_PAGES.items() if row is _AWAY)
"""Errors that pass by themselves."""


def texts_of(request: Request) -> AppTexts:
    """The words in the language that the browser asks for."""
    return app_texts_for(request.headers.get("accept-language", ""))


def show(
    request: Request, person: SignedInUser | None, template: str, status: int = HTTPStatus.OK, **context: object
) -> HTMLResponse:
    """The page `template` in the frame of the app, with `a`, its texts, and `person`, who looks."""
    return render(request, f"app/{template}", status, a=texts_of(request), person=person, **context)


def render_app_error(request: Request, error: Exception) -> Response:
    """The page for an error of a kind in the table, or of the nearest of its bases.

    It says nothing of the address: what does not exist and what is another organisation's look the same.
    """
    status, notice = next(ERROR_PAGES[base] for base in type(error).__mro__ if base in ERROR_PAGES)
    if status is _UNAVAILABLE:
        log.warning("engine unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
    page = show(request, None, "error.html", status, notice=notice(texts_of(request)))
    if status is _UNAVAILABLE:
        page.headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, RateLimited):
        page.headers["Retry-After"] = str(error.seconds)
    return page


def redirect_to_sign_in(request: Request, to: str | None = None) -> Response:
    """To the page for signing in, and from there to `to`; if it is not given, to where this request wanted to go."""
    return RedirectResponse(f"/app/sign-in?{urlencode({'to': to or _wanted(request)})}", HTTPStatus.SEE_OTHER)


def _wanted(request: Request) -> str:
    if request.method == "GET" or request.url.path == "/app/authorize":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if "session_id" in request.path_params:
        return f"/app/sessions/{request.path_params['session_id']}"
    return "/app"


class AppRoute(PageRoute):
    """A route of the app: its errors are pages of its looks, and who is signed out is led to signing in."""

    told = (SignInRequired, CrossSiteDownload, *ERROR_PAGES)

    def page_of(self, request: Request, error: Exception) -> Response:
        if isinstance(error, CrossSiteDownload):
            return RedirectResponse(error.page, HTTPStatus.SEE_OTHER)
        return redirect_to_sign_in(request) if isinstance(error, SignInRequired) else render_app_error(request, error)
