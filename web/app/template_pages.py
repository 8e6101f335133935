"""Templates in the app: the list, and the page of a template."""

from collections import OrderedDict
from typing import NamedTuple

from fastapi import Request, Response

from application.documents.page_images import PageImage, PageImageCache, page_svg_gz
from application.documents.preview import render_template
from application.documents.render_jobs import RenderedDocument
from application.errors import TemplateArchived
from application.services import Services
from application.templates.find import activate_template, get_template
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus
from web.app.current_user import SignedInUser, UserForm
from web.app.flash import flash_message_of, redirect_with_flash
from web.app.page_overlay import DocumentPages, build_document_pages
from web.errors import PageNotFound
from web.rendering import render
from web.signing.page_image_responses import image_response

PER_PAGE = 25
_MAX_PAGE = 100_000
STATE_CLASSES = {TemplateStatus.DRAFT: "draft", TemplateStatus.ACTIVE: "good", TemplateStatus.ARCHIVED: "still"}


async def show_templates(request: Request, services: Services, person: SignedInUser) -> Response:
    """Shows drafts and active templates, the last changed first."""
    asked = request.query_params.get("page", "")
    page = min(max(int(asked), 1), _MAX_PAGE) if asked.isascii() and asked.isdigit() else 1
    everything = frozenset(TemplateStatus) - {TemplateStatus.ARCHIVED}
    found = await services.templates.list(person.organisation_id, everything, PER_PAGE, (page - 1) * PER_PAGE)
    return render(
        "app/templates.html",
        person=person,
        rows=found.rows,
        total=found.total,
        page=page,
        pages=max(1, -(-found.total // PER_PAGE)),
        classes=STATE_CLASSES,
        flash=flash_message_of(request),
    )


class _Key(NamedTuple):
    """Key of a template's rendered pages."""

    organisation_id: str
    template_id: str
    changed: str


class TemplatePages:
    """Shows templates. Caches the pages that were rendered last."""

    def __init__(self, capacity: int = 16) -> None:
        self._capacity = capacity
        self._rendered: OrderedDict[_Key, RenderedDocument] = OrderedDict()
        self._pictures = PageImageCache()

    async def show(self, request: Request, services: Services, person: SignedInUser, template_id: str) -> Response:
        """Shows a template with its pages. Raises `TemplateNotFound`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        return render(
            "app/template.html",
            person=person,
            this=template,
            css_class=STATE_CLASSES[template.status],
            pages=await self._document_pages(services, template),
            base_url=services.base_url,
            flash=flash_message_of(request),
        )

    async def page_image(self, services: Services, person: SignedInUser, template_id: str, number: int) -> Response:
        """Returns the image of one page. Raises `TemplateNotFound` or `PageNotFound`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        rendered = await self._render(services, template)
        if rendered.pdf is None or not 1 <= number <= rendered.page_count:
            raise PageNotFound
        name = "/".join((*_key(template), str(number)))
        content = self._pictures.find(name)
        if content is None:
            content = await services.pool.run(page_svg_gz, rendered.pdf, number)
            self._pictures.keep(name, content)
        return image_response(PageImage(content, "image/svg+xml", is_packed=True), is_personal=False)

    async def _document_pages(self, services: Services, template: Template) -> DocumentPages | None:
        rendered = await self._render(services, template)
        if rendered.pdf is None:
            return None
        base = f"/app/templates/{template.template_id}/pages"
        addresses = [f"{base}/{number}" for number in range(1, rendered.page_count + 1)]
        names = {recipient.key: recipient.name or recipient.key for recipient in template.recipients}
        return build_document_pages(template.name, template.template_id, addresses, rendered.zones, names)

    async def _render(self, services: Services, template: Template) -> RenderedDocument:
        key = _key(template)
        rendered = self._rendered.get(key)
        if rendered is None:
            rendered = await render_template(services, template)
        self._rendered[key] = rendered
        self._rendered.move_to_end(key)
        while len(self._rendered) > self._capacity:
            self._rendered.popitem(last=False)
        return rendered


def _key(template: Template) -> _Key:
    # The document of a template never changes; only its status does.
    return _Key(template.organisation_id, template.template_id, template.created_at.isoformat())


async def activate(request: Request, services: Services, posted: UserForm, template_id: str) -> Response:
    """Activates a template. Raises `TemplateNotFound`."""
    person = posted.person
    at = to_milliseconds(person.audit(request).at)
    try:
        template = await activate_template(services.templates, person.organisation_id, template_id, at)
    except TemplateArchived:  # archived meanwhile: the page shows it
        return redirect_with_flash(f"/app/templates/{template_id}")
    return redirect_with_flash(f"/app/templates/{template.template_id}", done="activated")
