"""The JSON editor of a new template, a draft, and the next version of an active template."""

from fastapi import Response

from application.caller import Caller
from application.errors import DocumentValidationFailed, InvalidRequest, TemplateArchived
from application.preview import BodyPreview, issues_in, preview_template, read_body
from application.schemas.template_create import EXAMPLE, TemplateCreate
from application.scopes import Scope
from application.services import Services
from application.templates.templates import create_template, get_template
from application.templates.versions import content_of, get_next_version, save_next_version
from domain.templates.template import Template, TemplateStatus
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, PreviewForm, SignedInUser
from web.app.json_editor import EditedText, Editor, as_text, render_editor, render_preview
from web.app.responses import redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.page_route import READ
from web.texts import APP

router = app_router("/templates", read=Scope.WRITE_TEMPLATES, write=Scope.WRITE_TEMPLATES)

_PREVIEW = "/app/templates/preview"
_START = EditedText(as_text({name: member for name, member in EXAMPLE.items() if name != "activate"}))
"""The text of a new page: the example of the API."""


def _new_editor(person: SignedInUser) -> Editor:
    return Editor(
        person=person,
        path="/app/templates/new",
        preview=_PREVIEW,
        title=APP.json_template,
        lead=APP.json_template_lead,
        submit=APP.json_create_template,
        back=("/app/templates", APP.all_templates),
        here="templates",
    )


def _editor_of(person: SignedInUser, template: Template) -> Editor:
    path = f"/app/templates/{template.template_id}"
    versions = {"version": template.version + 1, "active": template.version}
    is_draft = template.status is TemplateStatus.DRAFT
    return Editor(
        person=person,
        path=f"{path}/edit",
        preview=_PREVIEW,
        title=APP.json_edit.format(name=template.name),
        lead=APP.json_edit_draft_lead if is_draft else APP.json_edit_active_lead.format(**versions),
        submit=APP.json_save,
        back=(path, template.name),
        here="templates",
    )


@router.api_route("/new", methods=READ)
async def show_new(services: InjectedServices, person: CurrentUser, caller: CurrentCaller) -> Response:
    preview = await preview_template(services, caller, _START.body)
    return await render_editor(services, _new_editor(person), _START, preview)


@router.post("/new")
async def create(services: InjectedServices, posted: InjectedForm, caller: CurrentCaller) -> Response:
    """Creates a draft, and redirects to it. Shows the page again if there are issues, or for a preview.

    The draft is never active at once, even if the text requests it: a user reviews it first.
    """
    editor, edited = _new_editor(posted.person), EditedText.of(posted.form)
    if posted.form.get("do") != "create":
        return await _previewed(services, caller, editor, edited)
    try:
        request = await _read(services, caller, edited)
        template = await create_template(services, caller, request, posted.attempt)
    except (InvalidRequest, DocumentValidationFailed) as refused:
        return await _refused(services, editor, edited, refused)
    return redirect_with_flash(f"/app/templates/{template.template_id}", done="template-created")


@router.api_route("/{template_id}/edit", methods=READ)
async def show_edit(
    services: InjectedServices, person: CurrentUser, caller: CurrentCaller, template_id: str
) -> Response:
    """Shows the next version of the template in the editor, or the template itself if it has none."""
    template = await get_template(services.templates, caller.organisation_id, template_id)
    if template.status is TemplateStatus.ARCHIVED:
        return redirect_with_flash(f"/app/templates/{template_id}", error="template-archived")
    content = await get_next_version(services, template) if template.has_next_version else template
    edited = EditedText(as_text(content_of(content)))
    preview = await preview_template(services, caller, edited.body)
    return await render_editor(services, _editor_of(person, template), edited, preview)


@router.post("/{template_id}/edit")
async def save(services: InjectedServices, posted: InjectedForm, caller: CurrentCaller, template_id: str) -> Response:
    """Saves a draft, or the next version of an active template, and redirects to it.

    Shows the page again if there are issues, or for a preview.
    """
    template = await get_template(services.templates, caller.organisation_id, template_id)
    editor, edited = _editor_of(posted.person, template), EditedText.of(posted.form)
    if posted.form.get("do") != "create":
        return await _previewed(services, caller, editor, edited)
    path = f"/app/templates/{template_id}"
    try:
        saved = await save_next_version(services, caller, template, await _read(services, caller, edited))
    except TemplateArchived:
        return redirect_with_flash(path, error="template-archived")
    except (InvalidRequest, DocumentValidationFailed) as refused:
        return await _refused(services, editor, edited, refused)
    is_next = saved.version > template.version
    return redirect_with_flash(f"{path}/next" if is_next else path, done="template-saved")


@router.post("/preview")
async def show_preview(services: InjectedServices, posted: PreviewForm, caller: CurrentCaller) -> Response:
    """Returns the preview alone, for the script."""
    edited = EditedText.of(posted.form)
    return await render_preview(services, edited, await preview_template(services, caller, edited.body))


async def _read(services: Services, caller: Caller, edited: EditedText) -> TemplateCreate:
    request = await read_body(services, caller, edited.body, TemplateCreate)
    return request.model_copy(update={"activate": False})


async def _previewed(services: Services, caller: Caller, editor: Editor, edited: EditedText) -> Response:
    return await render_editor(services, editor, edited, await preview_template(services, caller, edited.body))


async def _refused(
    services: Services, editor: Editor, edited: EditedText, refused: InvalidRequest | DocumentValidationFailed
) -> Response:
    return await render_editor(services, editor, edited, BodyPreview(issues_in(refused)), is_refused=True)
