"""The routes of templates and of the organisation in the app."""

from fastapi import APIRouter, Depends, Request, Response

from api.dependencies import InjectedServices
from api.pages.app.grants import end_grant
from api.pages.app.organisation import resume_receiver, show_organisation
from api.pages.app.person import PostedBy, SignedIn
from api.pages.app.rendering import AppRoute
from api.pages.app.template_pages import TemplatePages, activate, show_templates
from api.rate_limits import count_page

_READ = ["GET", "HEAD"]

router = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False, dependencies=[Depends(count_page)])
pictures = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False)
"""Not counted: a long document has hundreds."""

templates = TemplatePages()


@router.api_route("/templates", methods=_READ)
async def template_list(request: Request, services: InjectedServices, person: SignedIn) -> Response:
    return await show_templates(request, services, person)


@router.api_route("/templates/{template_id}", methods=_READ)
async def template(request: Request, services: InjectedServices, person: SignedIn, template_id: str) -> Response:
    return await templates.show(request, services, person, template_id)


@router.post("/templates/{template_id}/activate")
async def activation(request: Request, services: InjectedServices, posted: PostedBy, template_id: str) -> Response:
    return await activate(request, services, posted, template_id)


@pictures.api_route("/templates/{template_id}/pages/{number:int}", methods=_READ)
async def template_picture(services: InjectedServices, person: SignedIn, template_id: str, number: int) -> Response:
    return await templates.hand_out(services, person, template_id, number)


@router.api_route("/organisation", methods=_READ)
async def organisation(request: Request, services: InjectedServices, person: SignedIn) -> Response:
    return await show_organisation(request, services, person)


@router.post("/organisation/resume")
async def resume(services: InjectedServices, posted: PostedBy) -> Response:
    return await resume_receiver(services, posted)


@router.post("/organisation/end")
async def end(services: InjectedServices, posted: PostedBy) -> Response:
    return await end_grant(services, posted)
