"""Errors that only pages raise, and the page and status of every error, including errors outside of routes."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.types import Scope
from structlog.contextvars import get_contextvars

from application.errors import BatchNotFound, CallbackNotFound, HistoryNotWhole, RateLimited, TemplateNotFound
from application.oauth.authorization import InvalidAuthorizationRequest
from domain.session.session import Session
from domain.shared import errors
from domain.shared.errors import CodedError
from web.html_response import render
from web.reader_language import add_headers, reading
from web.security_headers import SECURITY_HEADERS
from web.texts import PAGES


class PageError(CodedError):
    """Base of the errors that the pages raise."""


class CookieExpired(PageError, code="COOKIE_EXPIRED"):
    """The request has no cookie of this recipient, or one that is expired or forged."""


class CookiesBlocked(PageError, code="COOKIES_BLOCKED"):
    """The browser did not return the cookie that was set by the response before."""


class VisitExpired(PageError, code="VISIT_EXPIRED"):
    """The ticket of a visit that a program opened has expired, or the program may no longer open it."""


class AddressUsed(PageError, code="ADDRESS_USED"):
    """The signing URL was opened before, has expired, or its program may no longer open it."""


class CrossSitePost(PageError, code="CROSS_SITE_POST"):
    """A page of another site posted the form."""


class FormOutOfDate(PageError, code="FORM_OUT_OF_DATE"):
    """The form has the token of another cookie or sign-in."""


class FormTooLarge(PageError, code="FORM_TOO_LARGE"):
    """The body exceeds the limit."""


class NotAForm(PageError, code="NOT_A_FORM"):
    """The body is not a form."""


class PageNotFound(PageError, code="PAGE_NOT_FOUND"):
    """The page does not exist on this installation."""


class RecipientDone(PageError):
    """The recipient cannot sign `session` now. `recorded` are the entries with which they declined or passed it on."""

    def __init__(self, session: Session, *recorded: str) -> None:
        self.session = session
        self.recorded = recorded
        super().__init__()


class DeclinedByViewer(RecipientDone, code="DECLINED_BY_VIEWER"):
    """The recipient declined to sign."""


class ApprovalDeclined(RecipientDone, code="APPROVAL_DECLINED"):
    """The recipient declined to approve."""


class PassedOn(RecipientDone, code="PASSED_ON"):
    """The recipient passed their turn on to `delegate`."""

    def __init__(self, session: Session, delegate: str, *recorded: str) -> None:
        self.delegate = delegate
        super().__init__(session, delegate, *recorded)


class DeclinedByOther(RecipientDone, code="DECLINED_BY_OTHER"):
    """Another recipient declined."""


class SessionExpired(RecipientDone, code="SESSION_EXPIRED"):
    """The session expired."""


class Withdrawn(RecipientDone, code="WITHDRAWN"):
    """The session was archived before all had signed."""


class SessionArchived(RecipientDone, code="SESSION_ARCHIVED"):
    """The session was archived after it had ended."""


class NotTheirTurn(RecipientDone, code="NOT_THEIR_TURN"):
    """Other recipients sign first."""


class SignInRequired(PageError, code="SIGN_IN_REQUIRED"):
    """The visitor of the app is not signed in."""


class SignInTooOld(PageError, code="SIGN_IN_TOO_OLD"):
    """The act needs a recent sign-in of the user of the app."""


class RightMissing(PageError, code="RIGHT_MISSING"):
    """The role of the user of the app does not have the right."""


class SignInLinkUsed(PageError, code="SIGN_IN_LINK_USED"):
    """The sign-in link of the app was used, has expired or never existed."""


class CrossSiteDownload(PageError, code="CROSS_SITE_DOWNLOAD"):
    """Another site requested a download of the app. `page` is the path of the page with the link to it."""

    def __init__(self, page: str) -> None:
        self.page = page
        super().__init__()


class ErrorPage(NamedTuple):
    """The page for one kind of error. `text` is its table in `web/texts`.

    `act` is the event that it reports to a page that frames it (`web/static/frame.js`).
    """

    status: HTTPStatus
    text: str
    act: str = "error"


_LINK_NOT_VALID = ErrorPage(HTTPStatus.NOT_FOUND, "link_not_valid")
_NOT_FOUND = ErrorPage(HTTPStatus.NOT_FOUND, "not_found")
_NOT_READY = ErrorPage(HTTPStatus.CONFLICT, "not_ready")
UNAVAILABLE = ErrorPage(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")

OUTAGES = (errors.Unavailable, errors.Outage)
"""Temporary errors: a repeated request may succeed."""

_SHARED: Mapping[type[Exception], ErrorPage] = {
    **dict.fromkeys(OUTAGES, UNAVAILABLE),
    errors.FileNotFound: _NOT_FOUND,
    errors.SessionNotCompleted: _NOT_READY,
    errors.DocumentNotReady: _NOT_READY,
    RateLimited: ErrorPage(HTTPStatus.TOO_MANY_REQUESTS, "too_many"),
    PageNotFound: _NOT_FOUND,
    CrossSitePost: ErrorPage(HTTPStatus.FORBIDDEN, "cross_site"),
    FormOutOfDate: ErrorPage(HTTPStatus.FORBIDDEN, "form_out_of_date"),
    NotAForm: ErrorPage(HTTPStatus.BAD_REQUEST, "not_a_form"),
}

RECIPIENT_ERROR_PAGES: Mapping[type[Exception], ErrorPage] = {
    **_SHARED,
    errors.LinkNotValid: _LINK_NOT_VALID,
    errors.SessionNotFound: _LINK_NOT_VALID,
    errors.RecipientNotFound: _LINK_NOT_VALID,
    NotTheirTurn: ErrorPage(HTTPStatus.CONFLICT, "not_your_turn"),
    errors.AlreadySigned: ErrorPage(HTTPStatus.OK, "already_signed", "signed"),
    errors.SessionNotActive: _LINK_NOT_VALID,
    Withdrawn: ErrorPage(HTTPStatus.GONE, "withdrawn"),
    SessionArchived: ErrorPage(HTTPStatus.GONE, "no_longer_available"),
    DeclinedByViewer: ErrorPage(HTTPStatus.OK, "declined_by_viewer", "declined"),
    ApprovalDeclined: ErrorPage(HTTPStatus.OK, "approval_declined", "declined"),
    PassedOn: ErrorPage(HTTPStatus.OK, "passed_on", "delegated"),
    DeclinedByOther: ErrorPage(HTTPStatus.GONE, "declined_by_other"),
    SessionExpired: ErrorPage(HTTPStatus.GONE, "session_expired", "expired"),
    CookieExpired: ErrorPage(HTTPStatus.FORBIDDEN, "cookie_expired"),
    CookiesBlocked: ErrorPage(HTTPStatus.FORBIDDEN, "cookies_blocked"),
    VisitExpired: ErrorPage(HTTPStatus.FORBIDDEN, "visit_expired", "expired"),
    AddressUsed: ErrorPage(HTTPStatus.GONE, "address_used", "expired"),
    FormTooLarge: ErrorPage(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "form_too_large"),
}

APP_ERROR_PAGES: Mapping[type[Exception], ErrorPage] = {
    **_SHARED,
    errors.SessionNotFound: _NOT_FOUND,
    errors.RecipientNotFound: _NOT_FOUND,
    TemplateNotFound: _NOT_FOUND,
    CallbackNotFound: _NOT_FOUND,
    BatchNotFound: _NOT_FOUND,
    errors.DocumentsDiffer: ErrorPage(HTTPStatus.CONFLICT, "documents_differ"),
    HistoryNotWhole: ErrorPage(HTTPStatus.INTERNAL_SERVER_ERROR, "history_not_whole"),
    RightMissing: ErrorPage(HTTPStatus.FORBIDDEN, "right_missing"),
    SignInLinkUsed: ErrorPage(HTTPStatus.GONE, "link_used"),
    InvalidAuthorizationRequest: ErrorPage(HTTPStatus.BAD_REQUEST, "not_askable"),
    FormTooLarge: ErrorPage(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "not_a_form"),
}


_FOR_PROGRAMS = ("/api/", "/mcp", "/oidc/", "/.well-known/", "/healthz", "/readyz", "/metrics")
"""Prefixes of paths whose errors are JSON regardless of `Accept`."""


def error_page(scope: Scope, status: int) -> Response | None:
    """Returns the page for `status`; None if the request does not accept HTML, or its path is one for programs.

    The page of a server error shows the request id, by which the log can be searched.
    """
    if scope["path"].startswith(_FOR_PROGRAMS) or "text/html" not in Headers(scope=scope).get("accept", ""):
        return None
    is_ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    with reading(Request(scope)):
        error = PAGES.table("failed") if is_ours else PAGES.table("not_found")
        if status == HTTPStatus.NOT_FOUND and scope["path"].startswith("/objects/"):
            error = PAGES.table("download_expired")
        response = render(
            "error.html",
            status,
            error=error,
            facts={},
            at=None,
            quote=None,
            way_out="/",
            is_lost=False,
            session=None,
            request_id=get_contextvars().get("request_id") if is_ours else None,
        )
        add_headers(response)
    response.headers.update(SECURITY_HEADERS)
    return response
