"""Errors as pages: one table for all that a person with a link can meet."""

from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import structlog
from fastapi import Request, Response
from fastapi.routing import APIRoute

from application.errors import RateLimited
from domain.shared import errors as domain_errors
from ports.database import DatabaseUnavailable
from ports.object_store import ObjectStoreError
from ports.process_pool import PoolBusy, ProcessDied
from web import errors
from web.rendering import render, texts_of
from web.security_headers import SECURITY_HEADERS
from web.texts import Notice, Texts

log = structlog.get_logger(__name__)

RETRY_SECONDS = 30


class ErrorPage(NamedTuple):
    """How one kind of error is shown: the status, and which of the texts."""

    status: HTTPStatus
    notice: Callable[[Texts], Notice]


_LINK_NOT_VALID = ErrorPage(HTTPStatus.NOT_FOUND, attrgetter("link_not_valid"))
_NOT_FOUND = ErrorPage(HTTPStatus.NOT_FOUND, attrgetter("not_found"))
_NOT_READY = ErrorPage(HTTPStatus.CONFLICT, attrgetter("not_ready"))
_UNAVAILABLE = ErrorPage(HTTPStatus.SERVICE_UNAVAILABLE, attrgetter("unavailable"))

ERROR_PAGES: Mapping[type[Exception], ErrorPage] = {
    domain_errors.LinkNotValid: _LINK_NOT_VALID,
    domain_errors.SessionNotFound: _LINK_NOT_VALID,
    domain_errors.RecipientNotFound: _LINK_NOT_VALID,
    domain_errors.FileNotFound: _NOT_FOUND,
    domain_errors.NotYourTurn: ErrorPage(HTTPStatus.CONFLICT, attrgetter("not_your_turn")),
    domain_errors.AlreadySigned: ErrorPage(HTTPStatus.OK, attrgetter("already_signed")),
    domain_errors.SessionNotActive: ErrorPage(HTTPStatus.GONE, attrgetter("no_longer_available")),
    domain_errors.SessionNotCompleted: _NOT_READY,
    domain_errors.DocumentNotReady: _NOT_READY,
    domain_errors.Unavailable: _UNAVAILABLE,
    DatabaseUnavailable: _UNAVAILABLE,
    ObjectStoreError: _UNAVAILABLE,
    PoolBusy: _UNAVAILABLE,
    ProcessDied: _UNAVAILABLE,
    errors.DeclinedByViewer: ErrorPage(HTTPStatus.OK, attrgetter("you_declined")),
    errors.DeclinedByOther: ErrorPage(HTTPStatus.GONE, attrgetter("other_declined")),
    errors.SessionExpired: ErrorPage(HTTPStatus.GONE, attrgetter("time_is_over")),
    errors.CookieExpired: ErrorPage(HTTPStatus.FORBIDDEN, attrgetter("visit_ended")),
    errors.CrossSitePost: ErrorPage(HTTPStatus.FORBIDDEN, attrgetter("cross_site")),
    errors.FormOutOfDate: ErrorPage(HTTPStatus.FORBIDDEN, attrgetter("form_out_of_date")),
    errors.FormTooLarge: ErrorPage(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, attrgetter("form_too_large")),
    errors.NotAForm: ErrorPage(HTTPStatus.BAD_REQUEST, attrgetter("form_not_form")),
    errors.PageNotFound: _NOT_FOUND,
    RateLimited: ErrorPage(HTTPStatus.TOO_MANY_REQUESTS, attrgetter("too_many")),
}

OUTAGES = tuple(kind for kind, row in ERROR_PAGES.items() if row is _UNAVAILABLE)
"""Errors that pass by themselves: the same request again may succeed."""


def render_error(request: Request, error: Exception) -> Response:
    """The page for an error of a kind in the table, or of the nearest of its bases."""
    row = next(ERROR_PAGES[base] for base in type(error).__mro__ if base in ERROR_PAGES)
    if row is _UNAVAILABLE:
        log.warning("engine unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
    session = error.session if isinstance(error, errors.RecipientDone) else None
    facts = {"session": session.name, "organisation": session.organisation_name} if session else {}
    at = error.session.expires_at if isinstance(error, errors.SessionExpired) else None
    page = render(request, "error.html", row.status, notice=row.notice(texts_of(request)), facts=facts, at=at)
    if row is _UNAVAILABLE:
        page.headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, RateLimited):
        page.headers["Retry-After"] = str(error.seconds)
    return page


class PageRoute(APIRoute):
    """A route for people: its errors, those of the kinds `told`, are pages; every answer has the security headers."""

    told: ClassVar[tuple[type[Exception], ...]] = tuple(ERROR_PAGES)

    def page_of(self, request: Request, error: Exception) -> Response:
        """The page that tells of `error`."""
        return render_error(request, error)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def answer_with_page(request: Request) -> Response:
            try:
                response = await answer(request)
            except self.told as error:
                response = self.page_of(request, error)
            for name, value in SECURITY_HEADERS.items():
                response.headers.setdefault(name, value)  # pictures say themselves who may keep them
            return response

        return answer_with_page
