"""What the database promises of templates (Specification 4.12)."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplatePage, TemplateStatus


class Templates(Protocol):
    """Templates. Each act returns the template after it, or None where the organisation has no such template."""

    async def add(self, template: Template) -> Template:
        """Implements `template`; of one that is kept already under its id, the first stays. Returns what is kept."""
        ...

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        """The template."""
        ...

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Makes a draft active; a template in another status stays as it is."""
        ...

    async def rename(
        self, organisation_id: OrganisationId, template_id: TemplateId, name: str, at: datetime
    ) -> Template | None:
        """Gives the template another name."""
        ...

    async def archive(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Archives the template. Raises `AlreadyArchived`."""
        ...

    async def restore(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Gives an archived template the status that it had before. Raises `NotArchived`."""
        ...

    async def delete(self, organisation_id: OrganisationId, template_id: TemplateId) -> None:
        """Deletes the template for ever; uploads that only it used may be deleted then. Twice is as once."""
        ...

    async def list(
        self, organisation_id: OrganisationId, statuses: Collection[TemplateStatus], limit: int, offset: int
    ) -> TemplatePage:
        """At most `limit` of those in one of `statuses`, from the one at `offset` (from 0) on; last changed first."""
        ...
