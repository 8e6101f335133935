"""Errors as pages: one table for the pages of recipients, one for those of the app."""

from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple

import structlog
from fastapi import Request, Response
from fastapi.routing import APIRoute

from application.errors import CallbackNotFound, HistoryNotWhole, RateLimited, TemplateNotFound
from application.oauth.authorization import InvalidAuthorizationRequest
from domain.shared import errors as domain_errors
from ports.database import DatabaseUnavailable
from ports.object_store import ObjectStoreError
from ports.process_pool import PoolBusy, ProcessDied
from web import errors
from web.rendering import render
from web.security_headers import SECURITY_HEADERS
from web.texts import PAGES

log = structlog.get_logger(__name__)

RETRY_SECONDS = 30


class ErrorPage(NamedTuple):
    """The page for one kind of error. `text` is its table in `web/texts`."""

    status: HTTPStatus
    text: str


_LINK_NOT_VALID = ErrorPage(HTTPStatus.NOT_FOUND, "link_not_valid")
_NOT_FOUND = ErrorPage(HTTPStatus.NOT_FOUND, "not_found")
_NOT_READY = ErrorPage(HTTPStatus.CONFLICT, "not_ready")
_UNAVAILABLE = ErrorPage(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")

_SHARED: Mapping[type[Exception], ErrorPage] = {
    domain_errors.FileNotFound: _NOT_FOUND,
    domain_errors.SessionNotCompleted: _NOT_READY,
    domain_errors.DocumentNotReady: _NOT_READY,
    domain_errors.Unavailable: _UNAVAILABLE,
    DatabaseUnavailable: _UNAVAILABLE,
    ObjectStoreError: _UNAVAILABLE,
    PoolBusy: _UNAVAILABLE,
    ProcessDied: _UNAVAILABLE,
    RateLimited: ErrorPage(HTTPStatus.TOO_MANY_REQUESTS, "too_many"),
    errors.PageNotFound: _NOT_FOUND,
    errors.CrossSitePost: ErrorPage(HTTPStatus.FORBIDDEN, "cross_site"),
    errors.FormOutOfDate: ErrorPage(HTTPStatus.FORBIDDEN, "form_out_of_date"),
    errors.NotAForm: ErrorPage(HTTPStatus.BAD_REQUEST, "not_a_form"),
}

RECIPIENT_ERROR_PAGES: Mapping[type[Exception], ErrorPage] = {
    **_SHARED,
    domain_errors.LinkNotValid: _LINK_NOT_VALID,
    domain_errors.SessionNotFound: _LINK_NOT_VALID,
    domain_errors.RecipientNotFound: _LINK_NOT_VALID,
    domain_errors.NotYourTurn: ErrorPage(HTTPStatus.CONFLICT, "not_your_turn"),
    domain_errors.AlreadySigned: ErrorPage(HTTPStatus.OK, "already_signed"),
    domain_errors.SessionNotActive: ErrorPage(HTTPStatus.GONE, "no_longer_available"),
    errors.DeclinedByViewer: ErrorPage(HTTPStatus.OK, "declined_by_viewer"),
    errors.DeclinedByOther: ErrorPage(HTTPStatus.GONE, "declined_by_other"),
    errors.SessionExpired: ErrorPage(HTTPStatus.GONE, "session_expired"),
    errors.CookieExpired: ErrorPage(HTTPStatus.FORBIDDEN, "cookie_expired"),
    errors.FormTooLarge: ErrorPage(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "form_too_large"),
}

APP_ERROR_PAGES: Mapping[type[Exception], ErrorPage] = {
    **_SHARED,
    domain_errors.SessionNotFound: _NOT_FOUND,
    domain_errors.RecipientNotFound: _NOT_FOUND,
    TemplateNotFound: _NOT_FOUND,
    CallbackNotFound: _NOT_FOUND,
    domain_errors.DocumentsDiffer: ErrorPage(HTTPStatus.CONFLICT, "documents_differ"),
    HistoryNotWhole: ErrorPage(HTTPStatus.INTERNAL_SERVER_ERROR, "history_not_whole"),
    errors.SignInLinkUsed: ErrorPage(HTTPStatus.GONE, "link_used"),
    InvalidAuthorizationRequest: ErrorPage(HTTPStatus.BAD_REQUEST, "not_askable"),
    errors.FormTooLarge: ErrorPage(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "not_a_form"),
}

OUTAGES = tuple(kind for kind, page in _SHARED.items() if page is _UNAVAILABLE)
"""Temporary errors: a repeated request may succeed."""


class PageRoute(APIRoute):
    """A route whose errors of the kinds in `error_pages` are pages. Every response gets the security headers."""

    error_pages: ClassVar[Mapping[type[Exception], ErrorPage]] = RECIPIENT_ERROR_PAGES
    redirected: ClassVar[tuple[type[Exception], ...]] = ()

    def respond_to(self, request: Request, error: Exception) -> Response:  # noqa: ARG002  # the app redirects by it
        """Returns the page for `error`, of its kind or the nearest of its bases."""
        page = next(self.error_pages[base] for base in type(error).__mro__ if base in self.error_pages)
        response = self.render(page, error)
        if page is _UNAVAILABLE:
            log.warning("engine unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
        if isinstance(error, RateLimited):
            response.headers["Retry-After"] = str(error.seconds)
        return response

    def render(self, page: ErrorPage, error: Exception) -> Response:
        """Renders `page` for a recipient."""
        session = error.session if isinstance(error, errors.RecipientDone) else None
        facts = {"session": session.name, "organisation": session.organisation_name} if session else {}
        at = error.session.expires_at if isinstance(error, errors.SessionExpired) else None
        return render("error.html", page.status, error=PAGES.table(page.text), facts=facts, at=at)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                response = await handler(request)
            except (*self.redirected, *self.error_pages) as error:
                response = self.respond_to(request, error)
            for name, value in SECURITY_HEADERS.items():
                response.headers.setdefault(name, value)  # images set their own Cache-Control
            return response

        return handle
