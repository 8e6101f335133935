"""Templates in SQL."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import defer
from sqlmodel import col, delete, func, select, update

from adapters.database.engine import insert_into, transaction
from adapters.database.repository import Repository, row_values, to_record
from adapters.database.tables.uploads import TemplateRow, UploadUseRow
from domain.shared.errors import AlreadyArchived, NotArchived
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplatePage, TemplateStatus, TemplateSummary

_WITHOUT_DOCUMENT = defer(TemplateRow.template)  # type: ignore[arg-type]  # typed as the value, not as the column

_ARCHIVED = "The template is archived already. Pass permanent=true to delete it permanently, or restore it."
_NOT_ARCHIVED = "The template is not archived, so there is nothing to restore."


class DatabaseTemplates(Repository):
    """Implements `Templates`."""

    async def add(self, template: Template) -> Template:
        others = {"recipient_count": len(template.recipients), "has_variables": bool(template.variables)}
        document = {"status": template.status.value, "template": template.model_dump(mode="json")}
        values = row_values(TemplateRow, template, **others, **document)
        addition = insert_into(TemplateRow, self._engine.dialect).values(values)
        async with transaction(self._engine) as rows:
            await rows.exec(addition.on_conflict_do_nothing())
            row = await rows.get_one(TemplateRow, (template.organisation_id, template.template_id))
        return _template(row)

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(TemplateRow, (organisation_id, template_id))
        return _template(row) if row else None

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        is_draft = col(TemplateRow.status) == TemplateStatus.DRAFT.value
        active = {"status": TemplateStatus.ACTIVE.value, "updated_at": at}
        return await self._change(organisation_id, template_id, active, is_draft)

    async def rename(
        self, organisation_id: OrganisationId, template_id: TemplateId, name: str, at: datetime
    ) -> Template | None:
        return await self._change(organisation_id, template_id, {"name": name, "updated_at": at})

    async def archive(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        status, archived = col(TemplateRow.status), TemplateStatus.ARCHIVED.value
        change = {"status": archived, "status_before_archive": status, "updated_at": at}
        return await self._change(organisation_id, template_id, change, status != archived, AlreadyArchived(_ARCHIVED))

    async def restore(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        change = {"status": col(TemplateRow.status_before_archive), "status_before_archive": None, "updated_at": at}
        is_archived = col(TemplateRow.status) == TemplateStatus.ARCHIVED.value
        return await self._change(organisation_id, template_id, change, is_archived, NotArchived(_NOT_ARCHIVED))

    async def delete(self, organisation_id: OrganisationId, template_id: TemplateId) -> None:
        uses = delete(UploadUseRow).where(
            col(UploadUseRow.organisation_id) == organisation_id, col(UploadUseRow.user_id) == template_id
        )
        await self._write(delete(TemplateRow).where(*_one(organisation_id, template_id)), uses)

    async def _change(
        self,
        organisation_id: OrganisationId,
        template_id: TemplateId,
        members: Mapping[str, Any],
        condition: ColumnElement[bool] | None = None,
        refusal: Exception | None = None,
    ) -> Template | None:
        """Changes the template if `condition` holds, otherwise raises `refusal`. Returns it afterwards."""
        change = update(TemplateRow).where(*_one(organisation_id, template_id)).values(members)
        is_changed = await self._write(change if condition is None else change.where(condition))
        template = await self.find(organisation_id, template_id)
        if template is not None and refusal is not None and not is_changed:
            raise refusal
        return template

    async def list(
        self, organisation_id: OrganisationId, statuses: Collection[TemplateStatus], limit: int, offset: int
    ) -> TemplatePage:
        mine = (
            col(TemplateRow.organisation_id) == organisation_id,
            col(TemplateRow.status).in_([status.value for status in statuses]),
        )
        newest = (col(TemplateRow.updated_at).desc(), col(TemplateRow.template_id).desc())
        async with transaction(self._engine) as rows:
            total = (await rows.exec(select(func.count()).select_from(TemplateRow).where(*mine))).one()
            query = select(TemplateRow).options(_WITHOUT_DOCUMENT).where(*mine)
            found = (await rows.exec(query.order_by(*newest).limit(limit).offset(offset))).all()
        return TemplatePage(tuple(to_record(TemplateSummary, row) for row in found), total)


def _template(row: TemplateRow) -> Template:
    """Returns the whole template. Fields that may change are in columns of their own."""
    changed = {"name": row.name, "status": row.status, "updated_at": row.updated_at}
    return Template.model_validate({**row.template, **changed})


def _one(organisation_id: OrganisationId, template_id: TemplateId) -> tuple[ColumnElement[bool], ...]:
    return col(TemplateRow.organisation_id) == organisation_id, col(TemplateRow.template_id) == template_id
