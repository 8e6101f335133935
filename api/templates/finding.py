"""Finding templates: another organisation's is answered like one that does not exist."""

from datetime import datetime

from adapters.database.port import Templates
from api.refusals import TemplateNotFound
from domain.ids import OrganisationId, TemplateId, is_identifier
from domain.templates import Template


async def get_template(templates: Templates, organisation_id: OrganisationId, template_id: str) -> Template:
    """The template of that organisation. Raises `TemplateNotFound`."""
    found = await templates.find(organisation_id, TemplateId(template_id)) if is_identifier(template_id) else None
    if found is None:
        raise TemplateNotFound
    return found


async def activate_template(
    templates: Templates, organisation_id: OrganisationId, template_id: str, at: datetime
) -> Template:
    """The template, active from now on. Raises `TemplateNotFound`."""
    is_one = is_identifier(template_id)
    found = await templates.activate(organisation_id, TemplateId(template_id), at) if is_one else None
    if found is None:
        raise TemplateNotFound
    return found
