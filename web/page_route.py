"""The routes of pages: they show errors as pages, and add the security headers to every response."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import nullcontext
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple

import structlog
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute

from application.errors import RateLimited
from domain.ports.database import DatabaseUnavailable
from domain.session.session import Session
from domain.session.value_parsers import many_lines
from web.asgi.dependencies import InjectedServices, get_services
from web.asgi.rate_limits import count_page
from web.errors import (
    RECIPIENT_ERROR_PAGES,
    UNAVAILABLE,
    ErrorPage,
    NotAForm,
    PassedOn,
    RecipientDone,
    SessionExpired,
    Withdrawn,
)
from web.forms import check_same_origin, read_form
from web.html_response import render
from web.reader_language import add_headers, reading
from web.security_headers import HostPage, headers_for, host_of
from web.sender_identity import SenderView, find_sender
from web.texts import PAGES

log = structlog.get_logger(__name__)

READ = ["GET", "HEAD"]  # mail scanners send HEAD

RETRY_SECONDS = 30


class PageSetting(NamedTuple):
    """The identity of the organisation on the page, and the host page. `is_lost`: the posted form is not recorded."""

    sender: SenderView | None
    host: HostPage
    is_lost: bool


class PageRoute(APIRoute):
    """A route that shows the errors in `error_pages` as pages.

    `respond_to` also gets the errors in `redirected`, for which a subclass returns redirects.
    """

    error_pages: ClassVar[Mapping[type[Exception], ErrorPage]] = RECIPIENT_ERROR_PAGES
    redirected: ClassVar[tuple[type[Exception], ...]] = ()
    is_translated: ClassVar[bool] = True

    async def respond_to(self, request: Request, error: Exception) -> Response:
        """Returns the page for the class of `error`, or for the nearest of its base classes.

        Redirects to the host page if the visit is over.
        """
        page = next(self.error_pages[base] for base in type(error).__mro__ if base in self.error_pages)
        host = host_of(request)
        is_over = page.act != "error" and request.method == "GET"
        if is_over and (address := host.redirect_after(page.act)):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        sender = await _find_sender(request, error.session) if isinstance(error, RecipientDone) else None
        response = self.render(page, error, PageSetting(sender, host, await _is_lost(request, error)))
        if page is UNAVAILABLE:
            log.warning("backend unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
        if isinstance(error, RateLimited):
            response.headers["Retry-After"] = str(error.seconds)
        return response

    def render(self, page: ErrorPage, error: Exception, setting: PageSetting) -> Response:
        """Renders `page` for a recipient."""
        session = error.session if isinstance(error, RecipientDone) else None
        facts = {"session": session.name, "organisation": session.organisation_name} if session else {}
        if isinstance(error, PassedOn):
            facts = {**facts, "delegate": error.delegate}
        at = error.session.expires_at if isinstance(error, SessionExpired) else None
        return render(
            "error.html",
            page.status,
            error=PAGES.table(page.text),
            facts=facts,
            at=at,
            quote=error.session.archive_reason if isinstance(error, Withdrawn) else None,
            request_id=None,
            way_out=None,
            is_lost=setting.is_lost,
            session=session,
            sender=setting.sender,
            host_page=setting.host,
            act=page.act,
        )

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            with reading(request) if self.is_translated else nullcontext():
                response = await respond(request)
                add_headers(response)
            return response

        async def respond(request: Request) -> Response:
            try:
                response = await handler(request)
            except (*self.redirected, *self.error_pages) as error:
                response = await self.respond_to(request, error)
            for name, value in headers_for(host_of(request)).items():
                response.headers.setdefault(name, value)  # images set their own Cache-Control
            return response

        return handle


async def _is_lost(request: Request, error: Exception) -> bool:
    """Returns whether the recipient posted entries other than those that are recorded, as from a second device."""
    if request.method != "POST" or not request.url.path.startswith("/signing/") or not isinstance(error, RecipientDone):
        return False
    try:
        entered = {many_lines(value).strip().casefold() for value in (await read_form(request)).values()}
    except NotAForm:
        return False
    return not (error.recorded and {entry.casefold() for entry in error.recorded} <= entered)


async def _find_sender(request: Request, session: Session) -> SenderView | None:
    """Returns the identity of the organisation; None if it has none, or if the database is unavailable."""
    try:
        return await find_sender(await get_services(request), session)
    except DatabaseUnavailable:
        return None


def page_router(prefix: str = "", route_class: type[APIRoute] = PageRoute, *, is_counted: bool = True) -> APIRouter:
    """Returns a router for pages. `is_counted`: requests count for the rate limits.

    Requests for page images do not, because a long document has hundreds of pages.
    """
    counts = [Depends(count_page)] if is_counted else []
    return APIRouter(prefix=prefix, route_class=route_class, include_in_schema=False, dependencies=counts)


def check_origin(request: Request, services: InjectedServices) -> None:
    """Raises `CrossSitePost` if a page of another site posted the form."""
    check_same_origin(request, services.base_url)


OwnPagesOnly = Depends(check_origin)
