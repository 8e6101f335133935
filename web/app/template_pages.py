"""Templates in the app: the list, and one with its pages."""

from collections import OrderedDict
from typing import NamedTuple

from fastapi import Request, Response

from application.documents.page_images import KeptPictures, PagePicture, packed_svg
from application.documents.render_jobs import Typeset
from application.errors import TemplateArchived
from application.services import Services
from application.templates.find import activate_template, get_template
from application.templates.render import lay_out
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus
from web.app.current_user import SignedInUser, UserForm
from web.app.flash import flash_message_of, redirect_with_flash
from web.app.page_overlay import DocumentPages, build_document_pages
from web.app.rendering import show, texts_of
from web.errors import PageNotFound
from web.signing.page_image_responses import image_response

PER_PAGE = 25
_MAX_PAGE = 100_000
STATE_CLASSES = {TemplateStatus.DRAFT: "draft", TemplateStatus.ACTIVE: "good", TemplateStatus.ARCHIVED: "still"}


async def show_templates(request: Request, services: Services, person: SignedInUser) -> Response:
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
        classes=STATE_CLASSES,
        flash=flash_message_of(request, texts_of(request)),
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
        self._rendered: OrderedDict[_Key, Typeset] = OrderedDict()
        self._pictures = KeptPictures()

    async def show(self, request: Request, services: Services, person: SignedInUser, template_id: str) -> Response:
        """One template with its pages. Raises `TemplateNotFound`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        return show(
            request,
            person,
            "template.html",
            this=template,
            css_class=STATE_CLASSES[template.status],
            pages=await self._document_pages(services, template),
            base_url=services.base_url,
            flash=flash_message_of(request, texts_of(request)),
        )

    async def page_image(self, services: Services, person: SignedInUser, template_id: str, number: int) -> Response:
        """The picture of one page. Raises `TemplateNotFound` or `PageNotFound`."""
        template = await get_template(services.templates, person.organisation_id, template_id)
        rendered = await self._render(services, template)
        if rendered.pdf is None or not 1 <= number <= rendered.page_count:
            raise PageNotFound
        name = "/".join((*_key(template), str(number)))
        content = self._pictures.find(name)
        if content is None:
            content = await services.pool.run(packed_svg, rendered.pdf, number)
            self._pictures.keep(name, content)
        return image_response(PagePicture(content, "image/svg+xml", is_packed=True), is_personal=False)

    async def _document_pages(self, services: Services, template: Template) -> DocumentPages | None:
        rendered = await self._render(services, template)
        if rendered.pdf is None:
            return None
        base = f"/app/templates/{template.template_id}/pages"
        addresses = [f"{base}/{number}" for number in range(1, rendered.page_count + 1)]
        names = {recipient.key: recipient.name or recipient.key for recipient in template.recipients}
        return build_document_pages(template.name, template.template_id, addresses, rendered.zones, names)

    async def _render(self, services: Services, template: Template) -> Typeset:
        key = _key(template)
        rendered = self._rendered.get(key)
        if rendered is None:
            rendered = await lay_out(services, template)
        self._rendered[key] = rendered
        self._rendered.move_to_end(key)
        while len(self._rendered) > self._capacity:
            self._rendered.popitem(last=False)
        return rendered


def _key(template: Template) -> _Key:
    # A template's document never changes once it is made; only its state does.
    return _Key(template.organisation_id, template.template_id, template.created_at.isoformat())


async def activate(request: Request, services: Services, posted: UserForm, template_id: str) -> Response:
    """Makes a template active, for sessions to be made from it. Raises `TemplateNotFound`."""
    person = posted.person
    at = to_milliseconds(person.audit(request).at)
    try:
        template = await activate_template(services.templates, person.organisation_id, template_id, at)
    except TemplateArchived:  # meanwhile: the page says so
        return redirect_with_flash(f"/app/templates/{template_id}")
    return redirect_with_flash(f"/app/templates/{template.template_id}", done="activated")
