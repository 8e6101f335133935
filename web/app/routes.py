"""The routes of the app."""

from fastapi import APIRouter, Depends, Request, Response

from asgi.dependencies import InjectedServices
from asgi.rate_limits import count_page
from web.app import consent, session_routes, sign_in_page, template_routes
from web.app.current_user import CurrentUser, InjectedForm, get_signed_in_user
from web.app.rendering import AppRoute
from web.app.session_list import show_sessions
from web.errors import PageNotFound
from web.form_bodies import check_same_origin

_READ = ["GET", "HEAD"]  # mail scanners ask with HEAD

pages = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False, dependencies=[Depends(count_page)])
rest = APIRouter(route_class=AppRoute, include_in_schema=False)


def check_origin(request: Request, services: InjectedServices) -> None:
    check_same_origin(request, services.base_url)


OwnPagesOnly = Depends(check_origin)


@pages.api_route("/sign-in", methods=_READ)
async def sign_in(request: Request) -> Response:
    return sign_in_page.show_sign_in(request)


@pages.post("/sign-in", dependencies=[OwnPagesOnly])
async def request_link(request: Request, services: InjectedServices) -> Response:
    return await sign_in_page.request_link(request, services)


@pages.api_route("/sign-in/{secret}", methods=_READ)
async def link(request: Request, services: InjectedServices, secret: str) -> Response:
    return await sign_in_page.show_link(request, services, secret)


@pages.post("/sign-in/{secret}", dependencies=[OwnPagesOnly])
async def enter(request: Request, services: InjectedServices, secret: str) -> Response:
    return await sign_in_page.sign_in(request, services, secret)


@pages.post("/sign-out")
async def leave(services: InjectedServices, posted: InjectedForm) -> Response:
    return await sign_in_page.sign_out(services, posted)


@pages.api_route("/authorize", methods=_READ)
async def authorize(request: Request, services: InjectedServices) -> Response:
    return await consent.show_consent(request, services)


@pages.post("/authorize")
async def decide(request: Request, services: InjectedServices, posted: InjectedForm) -> Response:
    return await consent.decide(request, services, posted)


@pages.api_route("", methods=_READ)
async def sessions(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    return await show_sessions(request, services, person)


@rest.api_route("/app/{rest:path}", methods=_READ, dependencies=[Depends(get_signed_in_user)])
async def nothing() -> Response:
    raise PageNotFound


router = APIRouter()
for part in (pages, session_routes.router, session_routes.downloads, session_routes.pictures):
    router.include_router(part)
for part in (template_routes.router, template_routes.pictures, rest):
    router.include_router(part)
