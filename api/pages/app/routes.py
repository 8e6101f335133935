"""The routes of the app."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.dependencies import InjectedServices
from api.pages.app import entrance
from api.pages.app.person import Person, PostedBy, SignedIn, find_person, get_person
from api.pages.app.rendering import AppRoute, show
from api.pages.forms import check_same_origin
from api.pages.refusals import NothingHere
from api.rate_limits import count_page

_READ = ["GET", "HEAD"]  # mail scanners ask with HEAD

router = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False, dependencies=[Depends(count_page)])


def check_origin(request: Request, services: InjectedServices) -> None:
    check_same_origin(request, services.base_url)


OwnPagesOnly = Depends(check_origin)
Anybody = Annotated[Person | None, Depends(find_person)]


@router.api_route("/sign-in", methods=_READ)
async def sign_in(request: Request, services: InjectedServices) -> Response:
    return entrance.show_entrance(request, services)


@router.post("/sign-in", dependencies=[OwnPagesOnly])
async def ask_for_link(request: Request, services: InjectedServices) -> Response:
    return await entrance.ask_for_link(request, services)


@router.api_route("/sign-in/{secret}", methods=_READ)
async def link(request: Request, services: InjectedServices, secret: str) -> Response:
    return await entrance.show_link(request, services, secret)


@router.post("/sign-in/{secret}", dependencies=[OwnPagesOnly])
async def enter(request: Request, services: InjectedServices, secret: str) -> Response:
    return await entrance.enter(request, services, secret)


@router.post("/sign-out")
async def leave(services: InjectedServices, posted: PostedBy) -> Response:
    return await entrance.leave(services, posted.person)


@router.api_route("", methods=_READ)
async def home(request: Request, person: SignedIn) -> Response:
    return show(request, person, "home.html")


@router.api_route("/{rest:path}", methods=_READ, dependencies=[Depends(get_person)])
async def nothing() -> Response:
    raise NothingHere
