"""Templates in SQL."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row
from sqlalchemy.orm import defer
from sqlmodel import col, delete, func, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import insert_into, transaction, writing_rows
from adapters.database.repository import Repository, row_values, to_record
from adapters.database.tables.uploads import TemplateRow, UploadUseRow
from domain.shared.errors import AlreadyArchived, NotArchived
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplatePage, TemplateStatus, TemplateSummary

_WITHOUT_DOCUMENTS = (
    defer(TemplateRow.template),  # type: ignore[arg-type]  # typed as the value, not as the column
    defer(TemplateRow.next_version),  # type: ignore[arg-type]  # see above
)

_ARCHIVED = "The template is archived already. Pass permanent=true to delete it permanently, or restore it."
_NOT_ARCHIVED = "The template is not archived, so there is nothing to restore."


class DatabaseTemplates(Repository):
    """Implements `Templates`."""

    async def add(self, template: Template) -> Template:
        values = row_values(TemplateRow, template, status=template.status.value, **_content(template))
        addition = insert_into(TemplateRow, self._engine.dialect).values(values)
        async with transaction(self._engine) as rows:
            await rows.exec(addition.on_conflict_do_nothing())
            row = await rows.get_one(TemplateRow, (template.organisation_id, template.template_id))
        return _template(row)

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        row = await self._find_row(TemplateRow, organisation_id, template_id)
        return _template(row) if row else None

    async def find_next_version(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        row = await self._find_row(TemplateRow, organisation_id, template_id)
        if row is None or row.next_version is None:
            return _template(row) if row and row.status == TemplateStatus.DRAFT.value else None
        numbered = {"version": row.version + 1, "status": TemplateStatus.DRAFT}
        return Template.model_validate({**row.next_version, **numbered})

    async def save_next_version(self, content: Template) -> Template | None:
        key = (content.organisation_id, content.template_id)
        is_usable = col(TemplateRow.status) != TemplateStatus.ARCHIVED.value
        async with writing_rows(self._engine) as rows:
            row, is_changed = await _lock(rows, key, {"updated_at": content.updated_at}, is_usable)
            if row and is_changed:
                dump = content.model_dump(mode="json")
                is_draft = row.status == TemplateStatus.DRAFT.value
                row.sqlmodel_update(
                    {"name": content.name, **_content(content)}
                    if is_draft
                    else {"next_version": dump, "has_next_version": True}
                )
        return _template(row) if row else None

    async def discard_next_version(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        return await self._change(organisation_id, template_id, {"next_version": None, "has_next_version": False})

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        status, active = col(TemplateRow.status), {"status": TemplateStatus.ACTIVE.value, "updated_at": at}
        is_draft = status == TemplateStatus.DRAFT.value
        has_next = col(TemplateRow.has_next_version) & (status == TemplateStatus.ACTIVE.value)
        async with writing_rows(self._engine) as rows:
            row, is_changed = await _lock(rows, (organisation_id, template_id), active, or_(is_draft, has_next))
            if row and is_changed and row.next_version is not None:
                content = Template.model_validate(row.next_version).model_copy(update={"version": row.version + 1})
                nothing = {"next_version": None, "has_next_version": False}
                row.sqlmodel_update({"name": content.name, **_content(content), **nothing})
        return _template(row) if row else None

    async def rename(
        self, organisation_id: OrganisationId, template_id: TemplateId, name: str, at: datetime
    ) -> Template | None:
        async with writing_rows(self._engine) as rows:
            row, _ = await _lock(rows, (organisation_id, template_id), {"name": name, "updated_at": at})
            if row and row.next_version is not None:
                row.next_version = {**row.next_version, "name": name}
        return _template(row) if row else None

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
            query = select(TemplateRow).options(*_WITHOUT_DOCUMENTS).where(*mine)
            found = (await rows.exec(query.order_by(*newest).limit(limit).offset(offset))).all()
        return TemplatePage(tuple(to_record(TemplateSummary, row) for row in found), total)


def _template(row: TemplateRow | Row[Any]) -> Template:
    """Returns the template. Columns replace the fields that may have changed since it was stored."""
    columns = ("name", "status", "created_at", "updated_at", "version", "has_next_version")
    return Template.model_validate({**row.template, **{name: getattr(row, name) for name in columns}})


def _content(template: Template) -> dict[str, Any]:
    """Returns the values of the columns that hold the content of `template`."""
    return {
        "version": template.version,
        "recipient_count": len(template.recipients),
        "has_variables": bool(template.variables),
        "template": template.model_dump(mode="json"),
    }


async def _lock(
    rows: AsyncSession,
    key: tuple[OrganisationId, TemplateId],
    members: Mapping[str, Any],
    condition: ColumnElement[bool] | None = None,
) -> tuple[TemplateRow | None, bool]:
    """Changes the template if `condition` holds, which locks its row. Returns the row, and whether it was changed."""
    change = update(TemplateRow).where(*_one(*key)).values(members)
    changed = await rows.exec(change if condition is None else change.where(condition))
    return await rows.get(TemplateRow, key), bool(changed.rowcount)


def _one(organisation_id: OrganisationId, template_id: TemplateId) -> tuple[ColumnElement[bool], ...]:
    return col(TemplateRow.organisation_id) == organisation_id, col(TemplateRow.template_id) == template_id
