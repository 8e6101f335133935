"""Templates in the app: the list, and the page of a template."""

from collections import OrderedDict

from fastapi import Request, Response

from application.documents.page_image_cache import PageImage, PageImageCache, page_svg_gz
from application.documents.preview import render_template
from application.documents.render_jobs import RenderedDocument
from application.errors import TemplateArchived
from application.scopes import Scope
from application.services import Services
from application.templates.templates import activate_template, get_template
from asgi.dependencies import InjectedServices
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm
from web.app.page_overlay import DocumentPages, build_document_pages
from web.app.responses import app_router, flash_message_of, redirect_with_flash
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ
from web.signing.images import image_response

router = app_router("/templates", read=Scope.READ_TEMPLATES, write=Scope.WRITE_TEMPLATES)
images = app_router("/templates", read=Scope.READ_TEMPLATES, is_counted=False)

PER_PAGE = 25
_MAX_PAGE = 100_000


@router.api_route("", methods=READ)
async def show_templates(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    """Shows drafts and active templates, the last changed first."""
    number = request.query_params.get("page", "")
    page = min(max(int(number), 1), _MAX_PAGE) if number.isascii() and number.isdigit() else 1
    everything = frozenset(TemplateStatus) - {TemplateStatus.ARCHIVED}
    listed = await services.templates.list(person.organisation_id, everything, PER_PAGE, (page - 1) * PER_PAGE)
    return render(
        "app/templates.html",
        person=person,
        rows=listed.rows,
        total=listed.total,
        page=page,
        pages=max(1, -(-listed.total // PER_PAGE)),
        flash=flash_message_of(request),
    )


class RenderedTemplates:
    """Renders templates. Caches those that were rendered last."""

    def __init__(self, capacity: int = 16) -> None:
        self._capacity = capacity
        self._rendered: OrderedDict[str, RenderedDocument] = OrderedDict()

    async def get(self, services: Services, template: Template) -> RenderedDocument:
        key = _key(template)
        rendered = self._rendered.get(key)
        if rendered is None:
            rendered = await render_template(services, template)
        self._rendered[key] = rendered
        self._rendered.move_to_end(key)
        while len(self._rendered) > self._capacity:
            self._rendered.popitem(last=False)
        return rendered


_documents = RenderedTemplates()
_images = PageImageCache()


def _key(template: Template) -> str:
    # The document of a template never changes; only its status does.
    return f"{template.organisation_id}/{template.template_id}/{template.created_at.isoformat()}"


@router.api_route("/{template_id}", methods=READ)
async def show_template(
    request: Request, services: InjectedServices, person: CurrentUser, template_id: str
) -> Response:
    template = await get_template(services.templates, person.organisation_id, template_id)
    return render(
        "app/template.html",
        person=person,
        this=template,
        pages=_document_pages(template, await _documents.get(services, template)),
        base_url=services.base_url,
        flash=flash_message_of(request),
    )


def _document_pages(template: Template, rendered: RenderedDocument) -> DocumentPages | None:
    if rendered.pdf is None:
        return None
    base = f"/app/templates/{template.template_id}/pages"
    addresses = [f"{base}/{number}" for number in range(1, rendered.page_count + 1)]
    names = {recipient.key: recipient.name or recipient.key for recipient in template.recipients}
    return build_document_pages(template.name, template.template_id, addresses, rendered.zones, names)


@images.api_route("/{template_id}/pages/{number:int}", methods=READ)
async def template_image(services: InjectedServices, person: CurrentUser, template_id: str, number: int) -> Response:
    """Returns the image of one page. Raises `TemplateNotFound` or `PageNotFound`."""
    template = await get_template(services.templates, person.organisation_id, template_id)
    rendered = await _documents.get(services, template)
    if rendered.pdf is None or not 1 <= number <= rendered.page_count:
        raise PageNotFound
    name = f"{_key(template)}/{number}"
    content = _images.find(name)
    if content is None:
        content = await services.pool.run(page_svg_gz, rendered.pdf, number)
        _images.keep(name, content)
    return image_response(PageImage(content, "image/svg+xml", is_packed=True), is_personal=False)


@router.post("/{template_id}/activate")
async def activate(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit, template_id: str) -> Response:
    owner = posted.person.organisation_id
    try:
        template = await activate_template(services.templates, owner, template_id, to_milliseconds(audit.at))
    except TemplateArchived:  # archived meanwhile: the page shows it
        return redirect_with_flash(f"/app/templates/{template_id}")
    return redirect_with_flash(f"/app/templates/{template.template_id}", done="activated")
