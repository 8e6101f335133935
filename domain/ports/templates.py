"""Templates (Specification 4.12)."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplatePage, TemplateStatus


class Templates(Protocol):
    """Templates. Each action returns the template afterwards, or None if the organisation has no such template."""

    async def add(self, template: Template) -> Template:
        """Stores `template` and returns it; if one with its id is stored already, returns that one."""

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        """Returns the template."""

    async def find_next_version(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        """Returns the next version of an active or archived template, or a draft itself; None if it has none."""

    async def save_next_version(self, content: Template) -> Template | None:
        """Stores `content` as the next version of the template with its id; it replaces the content of a draft.

        An archived template stays as it is, and is returned.
        """

    async def discard_next_version(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        """Deletes the next version, if there is one. A draft stays as it is."""

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Makes a draft active, and an active template its next version; others stay as they are."""

    async def rename(
        self, organisation_id: OrganisationId, template_id: TemplateId, name: str, at: datetime
    ) -> Template | None:
        """Renames the template, and its next version."""

    async def archive(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Archives the template. Raises `AlreadyArchived`."""

    async def restore(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        """Restores an archived template to its earlier status. Raises `NotArchived`."""

    async def delete(self, organisation_id: OrganisationId, template_id: TemplateId) -> None:
        """Deletes the template permanently, and releases its uploads. A second call has no effect."""

    async def list(
        self, organisation_id: OrganisationId, statuses: Collection[TemplateStatus], limit: int, offset: int
    ) -> TemplatePage:
        """Returns at most `limit` templates with one of `statuses`, from `offset` (from 0), last changed first."""
