"""The routes of templates and of the organisation in the app."""

from fastapi import APIRouter, Depends, Request, Response

from asgi.dependencies import InjectedServices
from asgi.rate_limits import count_page
from web.app.current_user import CurrentUser, InjectedForm
from web.app.grants import revoke_grant
from web.app.organisation import resume_receiver, show_organisation
from web.app.rendering import AppRoute
from web.app.template_pages import TemplatePages, activate, show_templates

_READ = ["GET", "HEAD"]

router = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False, dependencies=[Depends(count_page)])
pictures = APIRouter(prefix="/app", route_class=AppRoute, include_in_schema=False)
"""Not counted: a long document has hundreds."""

templates = TemplatePages()


@router.api_route("/templates", methods=_READ)
async def template_list(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    return await show_templates(request, services, person)


@router.api_route("/templates/{template_id}", methods=_READ)
async def template(request: Request, services: InjectedServices, person: CurrentUser, template_id: str) -> Response:
    return await templates.show(request, services, person, template_id)


@router.post("/templates/{template_id}/activate")
async def activation(request: Request, services: InjectedServices, posted: InjectedForm, template_id: str) -> Response:
    return await activate(request, services, posted, template_id)


@pictures.api_route("/templates/{template_id}/pages/{number:int}", methods=_READ)
async def template_picture(services: InjectedServices, person: CurrentUser, template_id: str, number: int) -> Response:
    return await templates.page_image(services, person, template_id, number)


@router.api_route("/organisation", methods=_READ)
async def organisation(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    return await show_organisation(request, services, person)


@router.post("/organisation/resume")
async def resume(services: InjectedServices, posted: InjectedForm) -> Response:
    return await resume_receiver(services, posted)


@router.post("/organisation/end")
async def end(services: InjectedServices, posted: InjectedForm) -> Response:
    return await revoke_grant(services, posted)
