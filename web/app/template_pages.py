"""Templates in the app: the list, and the page of a template."""

from collections import OrderedDict
from http import HTTPStatus

from fastapi import Request, Response

from application.documents.page_images import PageImage, PageImageCache, page_svg_gz
from application.documents.render_jobs import RenderedDocument
from application.preview import render_sample, sample_names
from application.scopes import Scope
from application.services import Services
from application.templates.templates import get_template
from application.templates.versions import get_next_version
from domain.ports.process_pool import lower_priority
from domain.shared.object_names import digest
from domain.shared.whole_numbers import read_whole_number
from domain.templates.template import Template, TemplateStatus
from web.app.app_router import app_router
from web.app.current_user import CurrentUser, SignedInUser
from web.app.pages_with_fields import DocumentPages, build_document_pages
from web.app.responses import flash_message_of, redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ
from web.signing.page_images import image_response

router = app_router("/templates", read=Scope.READ_TEMPLATES, write=Scope.WRITE_TEMPLATES)
images = app_router("/templates", read=Scope.READ_TEMPLATES, is_counted=False)

PER_PAGE = 25
_MAX_PAGE = 100_000


_STATUSES = {
    "current": frozenset(TemplateStatus) - {TemplateStatus.ARCHIVED},
    "archived": frozenset({TemplateStatus.ARCHIVED}),
}
"""The statuses of each tab."""


def page_number(request: Request) -> int:
    """Returns the page of a list (from 1) that the query names; 1 by default."""
    number = read_whole_number(request.query_params.get("page", ""))
    return min(number or 1, _MAX_PAGE)


def page_count(total: int) -> int:
    """Returns the number of pages of a list of `total` entries: at least one."""
    return max(1, -(-total // PER_PAGE))


@router.api_route("", methods=READ)
async def show_templates(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    """Shows drafts and active templates, or archived ones, the most recently changed first."""
    page, tab = page_number(request), request.query_params.get("tab", "")
    tab = tab if tab in _STATUSES else "current"
    listed = await services.templates.list(person.organisation_id, _STATUSES[tab], PER_PAGE, (page - 1) * PER_PAGE)
    return render(
        "app/templates.html",
        person=person,
        tab=tab,
        rows=listed.rows,
        total=listed.total,
        page=page,
        pages=page_count(listed.total),
        flash=flash_message_of(request),
    )


class RenderedTemplates:
    """Renders templates with sample values, and caches the most recently used."""

    def __init__(self, capacity: int = 16) -> None:
        self._capacity = capacity
        self._rendered: OrderedDict[str, RenderedDocument] = OrderedDict()

    async def get(self, services: Services, template: Template) -> RenderedDocument:
        key = _key(template)
        rendered = self._rendered.get(key)
        if rendered is None:
            rendered = await render_sample(services, template)
        self._rendered[key] = rendered
        self._rendered.move_to_end(key)
        while len(self._rendered) > self._capacity:
            self._rendered.popitem(last=False)
        return rendered


_documents = RenderedTemplates()
_images = PageImageCache()


def _key(template: Template) -> str:
    changed = template.updated_at.isoformat()
    return f"{template.organisation_id}/{template.template_id}/{template.version}/{template.status}/{changed}"


@router.api_route("/{template_id}", methods=READ)
async def show_template(
    request: Request, services: InjectedServices, person: CurrentUser, template_id: str
) -> Response:
    template = await get_template(services.templates, person.organisation_id, template_id)
    return await render_template_page(services, person, template, flash=flash_message_of(request))


@router.api_route("/{template_id}/next", methods=READ)
async def show_next_version(
    request: Request, services: InjectedServices, person: CurrentUser, template_id: str
) -> Response:
    """Shows the next version of a template; redirects to the template if it has none."""
    template = await get_template(services.templates, person.organisation_id, template_id)
    if not template.has_next_version:
        return redirect_with_flash(f"/app/templates/{template_id}")
    following = await get_next_version(services, template)
    return await render_template_page(services, person, template, following, flash=flash_message_of(request))


async def render_template_page(
    services: Services, person: SignedInUser, template: Template, following: Template | None = None, **context: object
) -> Response:
    """Shows a template, or `following`, its next version.

    `context` may have a `flash` message, and the `problem` with a new name that was `typed`.
    """
    shown = following or template
    problem = context.get("problem")
    return render(
        "app/template.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        **{"flash": None, "problem": "", "typed": template.name, **context},
        person=person,
        active=template,
        this=shown,
        is_next=following is not None,
        pages=_document_pages(shown, await _documents.get(services, shown), is_next=following is not None),
        names=sample_names(shown),
        base_url=services.base_url,
    )


def _document_pages(template: Template, rendered: RenderedDocument, *, is_next: bool) -> DocumentPages | None:
    if rendered.pdf is None:
        return None
    base, stamp = f"/app/templates/{template.template_id}/pages", digest(_key(template).encode())[:16]
    query = f"?version={stamp}&of=next" if is_next else f"?version={stamp}"
    addresses = [f"{base}/{number}{query}" for number in range(1, rendered.page_count + 1)]
    return build_document_pages(template.name, template.template_id, addresses, rendered.zones, sample_names(template))


@images.api_route("/{template_id}/pages/{number:int}", methods=READ)
async def template_image(
    request: Request, services: InjectedServices, person: CurrentUser, template_id: str, number: int
) -> Response:
    """Returns the image of one page. Raises `TemplateNotFound` or `PageNotFound`."""
    template = await get_template(services.templates, person.organisation_id, template_id)
    if request.query_params.get("of") == "next" and template.has_next_version:
        template = await get_next_version(services, template)
    rendered = await _documents.get(services, template)
    if rendered.pdf is None or not 1 <= number <= rendered.page_count:
        raise PageNotFound
    name = f"{_key(template)}/{number}"
    content = _images.find(name)
    if content is None:
        lower_priority()
        content = await services.pool.run(page_svg_gz, rendered.pdf, number)
        _images.keep(name, content)
    return image_response(PageImage(content, "image/svg+xml", is_packed=True), is_personal=False)
