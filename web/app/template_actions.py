"""The buttons of a template's page. Each runs a use case and redirects to a flash message with the result."""

from collections.abc import Awaitable, Mapping

from fastapi import Response
from pydantic_core import to_json

from application.errors import DocumentValidationFailed, InvalidRequest, NoNextVersion
from application.parse_json import parse_json
from application.schemas.template_create import TemplateRename
from application.scopes import Scope
from application.templates import versions
from application.templates.templates import activate_template, get_template
from domain.shared.errors import AlreadyArchived, CodedError, NotArchived
from domain.shared.times import to_milliseconds
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm
from web.app.responses import perform, redirect_with_flash
from web.app.template_pages import render_template_page
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ

router = app_router("/templates/{template_id}", read=Scope.WRITE_TEMPLATES, write=Scope.WRITE_TEMPLATES)

_KEYS: Mapping[type[CodedError], str] = {
    AlreadyArchived: "template-archived",
    NotArchived: "template-not-archived",
    **dict.fromkeys((InvalidRequest, DocumentValidationFailed), "image-missing"),  # the rest was valid when saved
    NoNextVersion: "",
}
"""The key in the table `errors` of `web/texts/app.toml` for errors that mean something else about a template."""


def path_of(template_id: str) -> str:
    return f"/app/templates/{template_id}"


def _run(template_id: str, action: Awaitable[object], done: str, to: str = "") -> Awaitable[Response]:
    return perform(action, path_of(template_id), done, to, _KEYS)


@router.post("/activate")
async def activate(services: InjectedServices, _: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    """Activates a draft, or the next version of an active template."""
    at = to_milliseconds(caller.audit.at)
    activation = activate_template(services.templates, caller.organisation_id, template_id, at)
    return await _run(template_id, activation, "activated")


@router.post("/discard")
async def discard(services: InjectedServices, _: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    template = await get_template(services.templates, caller.organisation_id, template_id)
    return await _run(template_id, versions.discard_next_version(services, template), "version-discarded")


@router.post("/duplicate")
async def duplicate(
    services: InjectedServices, posted: InjectedForm, caller: CurrentCaller, template_id: str
) -> Response:
    """Creates a draft as a copy of the template, and redirects to it."""
    template = await get_template(services.templates, caller.organisation_id, template_id)
    copying = versions.duplicate_template(services, caller, template, posted.attempt)
    return await _run(template_id, copying, "template-duplicated", path_of(posted.attempt.template_id))


@router.post("/rename")
async def rename(services: InjectedServices, posted: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    """Renames the template; shows the page again if the name is not valid."""
    template = await get_template(services.templates, caller.organisation_id, template_id)
    typed = posted.form.get("name", "").strip()
    try:
        name = (await parse_json(to_json({"name": typed}), TemplateRename, services)).name
    except InvalidRequest as refused:
        [issue] = refused.issues
        return await render_template_page(services, posted.person, template, problem=issue.message, typed=typed)
    at = to_milliseconds(caller.audit.at)
    renaming = services.templates.rename(caller.organisation_id, template.template_id, name, at)
    return await _run(template_id, renaming, "template-renamed")


@router.post("/archive")
async def archive(services: InjectedServices, _: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    template = await get_template(services.templates, caller.organisation_id, template_id)
    at = to_milliseconds(caller.audit.at)
    archiving = services.templates.archive(caller.organisation_id, template.template_id, at)
    return await _run(template_id, archiving, "template-archived")


@router.post("/restore")
async def restore(services: InjectedServices, _: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    template = await get_template(services.templates, caller.organisation_id, template_id)
    at = to_milliseconds(caller.audit.at)
    restoring = services.templates.restore(caller.organisation_id, template.template_id, at)
    return await _run(template_id, restoring, "template-restored")


@router.api_route("/delete", methods=READ)
async def confirm_deletion(
    services: InjectedServices, person: CurrentUser, caller: CurrentCaller, template_id: str
) -> Response:
    """Shows the page that confirms the permanent deletion of the template."""
    template = await get_template(services.templates, caller.organisation_id, template_id)
    return render("app/template-delete.html", person=person, this=template)


@router.post("/delete")
async def delete(services: InjectedServices, _: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    template = await get_template(services.templates, caller.organisation_id, template_id)
    try:
        await services.templates.delete(caller.organisation_id, template.template_id)
    except OUTAGES:
        return redirect_with_flash(path_of(template_id), error="unavailable")
    return redirect_with_flash("/app/templates", done="template-deleted")
