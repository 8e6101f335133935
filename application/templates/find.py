"""Finds templates of an organisation. A template of another organisation raises the same error as a missing one."""

from datetime import datetime

from application.errors import TemplateArchived, TemplateNotFound
from domain.shared.ids import OrganisationId, TemplateId, is_identifier
from domain.templates.template import Template, TemplateStatus
from ports.templates import Templates


async def get_template(templates: Templates, organisation_id: OrganisationId, template_id: str) -> Template:
    """Returns the template of the organisation. Raises `TemplateNotFound`."""
    is_one = is_identifier(template_id)
    return require_template(await templates.find(organisation_id, TemplateId(template_id)) if is_one else None)


async def activate_template(
    templates: Templates, organisation_id: OrganisationId, template_id: str, at: datetime
) -> Template:
    """Activates and returns the template. Raises `TemplateNotFound` or `TemplateArchived`."""
    is_one = is_identifier(template_id)
    found = require_template(await templates.activate(organisation_id, TemplateId(template_id), at) if is_one else None)
    if found.status is TemplateStatus.ARCHIVED:
        raise TemplateArchived
    return found


def require_template(template: Template | None) -> Template:
    """Returns the template. Raises `TemplateNotFound` if it is None."""
    if template is None:
        raise TemplateNotFound
    return template
