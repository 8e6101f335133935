"""Templates in the app: the list, and one with its pages."""

from collections import OrderedDict
from typing import NamedTuple

from fastapi import Request, Response

from application.documents.page_images import PageImage, PageImageCache, page_svg_gz
from application.documents.render_jobs import RenderedDocument
from application.errors import TemplateArchived
from application.services import Services
from application.templates.find import activate_template, get_template
from application.templates.render import render_template
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus
from web.app.current_user import Person, Posted
from web.app.flash import lead_to, said
from web.app.page_overlay import Leaves, bind
from web.app.rendering import show, texts_of
from web.errors import NothingHere
from web.signing.page_image_responses import picture_response

PER_PAGE = 25
_MAX_PAGE = 100_000
LOOKS = {TemplateStatus.DRAFT: "draft", TemplateStatus.ACTIVE: "good", TemplateStatus.ARCHIVED: "still"}


async def show_templates(request: Request, services: Services, person: Person) -> Response:
    """All templates but archived ones, drafts too, the one that was changed last first."""
    asked = request.query_params.get("page", "")
    page = min(max(int(asked), 1), _MAX_PAGE) if asked.isascii() and asked.isdigit() else 1
    everything = frozenset(TemplateStatus) - {TemplateStatus.ARCHIVED}
    found = await services.templates.list(person.organisation_id, everything, PER_PAGE, (page - 1) * PER_PAGE)
    return show(
        request,
        person,
        "templates.html",
        rows=found.rows,
        total=found.total,
        page=page,
        pages=max(1, -(-found.total // PER_PAGE)),
        looks=LOOKS,
        said=said(request, texts_of(request)),
    )


class _Key(NamedTuple):
    """What the pages of a template depend on."""

    organisation_id: str
    template_id: str
    changed: str


class TemplatePages:
    """Shows templates, and keeps the pages that were laid out last."""

    def __init__(self, capacity: int = 16) -> None:
        self._capacity = capacity
        self._laid_out: OrderedDict[_Key, RenderedDocument] = OrderedDict()
        self._pictures = PageImageCache()

    async def show(self, request: Request, services: Services, person: Person, template_id: str) -> Response:
        """One template with its pages. Raises `TemplateNotFound`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        return show(
            request,
            person,
            "template.html",
            this=template,
            looks=LOOKS[template.status],
            leaves=await self._leaves(services, template),
            base_url=services.base_url,
            said=said(request, texts_of(request)),
        )

    async def record_download(self, services: Services, person: Person, template_id: str, number: int) -> Response:
        """The picture of one page. Raises `TemplateNotFound` or `NothingHere`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        laid_out = await self._lay_out(services, template)
        if laid_out.pdf is None or not 1 <= number <= laid_out.page_count:
            raise NothingHere
        name = "/".join((*_key(template), str(number)))
        content = self._pictures.find(name)
        if content is None:
            content = await services.pool.run(page_svg_gz, laid_out.pdf, number)
            self._pictures.keep(name, content)
        return picture_response(PageImage(content, "image/svg+xml", is_packed=True), is_personal=False)

    async def _leaves(self, services: Services, template: Template) -> Leaves | None:
        laid_out = await self._lay_out(services, template)
        if laid_out.pdf is None:
            return None
        base = f"/app/templates/{template.template_id}/pages"
        addresses = [f"{base}/{number}" for number in range(1, laid_out.page_count + 1)]
        names = {recipient.key: recipient.name or recipient.key for recipient in template.recipients}
        return bind(template.name, template.template_id, addresses, laid_out.zones, names)

    async def _lay_out(self, services: Services, template: Template) -> RenderedDocument:
        key = _key(template)
        laid_out = self._laid_out.get(key)
        if laid_out is None:
            laid_out = await render_template(services, template)
        self._laid_out[key] = laid_out
        self._laid_out.move_to_end(key)
        while len(self._laid_out) > self._capacity:
            self._laid_out.popitem(last=False)
        return laid_out


def _key(template: Template) -> _Key:
    # A template's document never changes once it is made; only its state does.
    return _Key(template.organisation_id, template.template_id, template.created_at.isoformat())


async def activate(request: Request, services: Services, posted: Posted, template_id: str) -> Response:
    """Makes a template active, for sessions to be made from it. Raises `TemplateNotFound`."""
    person = posted.person
    at = to_milliseconds(person.audit(request).at)
    try:
        template = await activate_template(services.templates, person.organisation_id, template_id, at)
    except TemplateArchived:  # meanwhile: the page says so
        return lead_to(f"/app/templates/{template_id}")
    return lead_to(f"/app/templates/{template.template_id}", done="activated")
