"""The routers of the app, with the rights that their routes need and their error pages; forms of administrators."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

import structlog
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from application.read_entries import InvalidEntry
from application.role_rights import ADMINISTER
from application.scopes import Scope
from domain.shared.ids import is_identifier
from web.app.current_user import CurrentUser
from web.app.posted_once import FormAnswered
from web.app.responses import redirect_to_sign_in
from web.asgi.dependencies import InjectedServices
from web.errors import (
    APP_ERROR_PAGES,
    CrossSiteDownload,
    ErrorPage,
    RightMissing,
    SignInRequired,
    SignInTooOld,
)
from web.forms import PostedForm, check_same_origin
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


RECENT = timedelta(hours=1)
"""The maximum age of a sign-in that may change roles and secrets, and delete permanently."""


def _check_recent(request: Request, person: CurrentUser) -> None:
    """Raises `SignInTooOld` for a POST of a user who signed in long ago."""
    if request.method == "POST" and person.sign_in.began_at < datetime.now(UTC) - RECENT:
        raise SignInTooOld


RECENT_SIGN_IN = Depends(_check_recent)
"""The dependency of routes whose POST needs a recent sign-in."""


class AppRoute(PageRoute):
    """A route of the app. A missing resource and one of another organisation get the same error page."""

    error_pages = APP_ERROR_PAGES
    redirected = (SignInRequired, SignInTooOld, CrossSiteDownload, FormAnswered)
    is_translated = False

    async def respond_to(self, request: Request, error: Exception) -> Response:
        if isinstance(error, FormAnswered):
            return RedirectResponse(error.address, HTTPStatus.SEE_OTHER)
        if isinstance(error, CrossSiteDownload):
            return RedirectResponse(error.page, HTTPStatus.SEE_OTHER)
        if isinstance(error, SignInRequired | SignInTooOld):
            return redirect_to_sign_in(request, is_again=isinstance(error, SignInTooOld))
        return await super().respond_to(request, error)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            response = await handler(request)
            if opened := getattr(request.state, "opened_form", None):
                await opened.finish(response)
            return response

        return handle

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


T = TypeVar("T")


async def _bind_administrator(request: Request, person: CurrentUser) -> None:
    """Adds the administrator, and the user or client in the path, to the log line of the request."""
    about = next((value for value in request.path_params.values() if is_identifier(value)), None)
    structlog.contextvars.bind_contextvars(
        organisation_id=person.organisation_id, administrator=person.user.user_id, about=about
    )


def administration_router(path: str) -> APIRouter:
    """Returns a router for administrators only."""
    router = app_router(f"/organisation{path}", read=ADMINISTER, write=ADMINISTER)
    router.dependencies.append(Depends(_bind_administrator))
    return router


class FormEntries:
    """Reads the entries of a form. `problems` has the message for each invalid entry, by the name of its input."""

    def __init__(self, form: PostedForm) -> None:
        self.form = form
        self.problems: dict[str, str] = {}

    def read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Returns the parsed entry of the input `name`; None if it is invalid, with a message in `problems`."""
        try:
            return parse(self.form.get(name, ""))
        except InvalidEntry as error:
            self.problems[name] = str(error)
            return None
