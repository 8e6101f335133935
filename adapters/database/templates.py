"""Templates in SQL."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.orm import defer
from sqlmodel import col, func, select, update

from adapters.database.engine import insert_into, transaction
from adapters.database.tables import TemplateRow
from domain.ids import OrganisationId, TemplateId
from domain.templates import Template, TemplatePage, TemplateStatus, TemplateSummary

_WITHOUT_DOCUMENT = defer(TemplateRow.template)  # type: ignore[arg-type]  # typed as the value, not as the column


class DatabaseTemplates:
    """Keeps `Templates`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, template: Template) -> Template:
        addition = insert_into(TemplateRow, self._engine.dialect).values(_row(template))
        async with transaction(self._engine) as rows:
            await rows.exec(addition.on_conflict_do_nothing())
            row = await rows.get_one(TemplateRow, (template.organisation_id, template.template_id))
        return _template(row)

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(TemplateRow, (organisation_id, template_id))
        return _template(row) if row else None

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        draft = (
            col(TemplateRow.organisation_id) == organisation_id,
            col(TemplateRow.template_id) == template_id,
            col(TemplateRow.status) == TemplateStatus.DRAFT.value,
        )
        active = {"status": TemplateStatus.ACTIVE.value, "updated_at": at}
        async with transaction(self._engine) as rows:
            await rows.exec(update(TemplateRow).where(*draft).values(active))
            row = await rows.get(TemplateRow, (organisation_id, template_id))
        return _template(row) if row else None

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
            wanted = select(TemplateRow).options(_WITHOUT_DOCUMENT).where(*mine)
            found = (await rows.exec(wanted.order_by(*newest).limit(limit).offset(offset))).all()
        return TemplatePage(tuple(map(_summary, found)), total)


def _row(template: Template) -> dict[str, Any]:
    return {
        "organisation_id": template.organisation_id,
        "template_id": template.template_id,
        "name": template.name,
        "status": template.status.value,
        "created_at": template.created_at,
        "updated_at": template.updated_at,
        "recipient_count": len(template.recipients),
        "has_variables": bool(template.variables),
        "template": template.model_dump(mode="json"),
    }


def _template(row: TemplateRow) -> Template:
    """The whole template. What changes after it was made is in columns of its own."""
    return Template.model_validate({**row.template, "status": row.status, "updated_at": row.updated_at})


def _summary(row: TemplateRow) -> TemplateSummary:
    return TemplateSummary(
        template_id=TemplateId(row.template_id),
        name=row.name,
        status=TemplateStatus(row.status),
        created_at=row.created_at,
        updated_at=row.updated_at,
        recipient_count=row.recipient_count,
        has_variables=row.has_variables,
    )
