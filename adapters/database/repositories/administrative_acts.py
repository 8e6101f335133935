"""The record of administrative acts in SQL."""

from uuid import uuid4

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from adapters.database.engine import insert_into, reading, writing
from adapters.database.repository import Repository
from adapters.database.tables.organisations import AdministrativeActRow
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, AdministrativeAct, Change
from domain.shared.ids import OrganisationId


class DatabaseAdministrativeActs(Repository):
    """Implements `AdministrativeActs`."""

    async def add(self, organisation_id: OrganisationId, audit: AuditContext, change: Change) -> None:
        row = {
            "organisation_id": organisation_id,
            "act_id": str(uuid4()),
            "at": audit.at,
            "kind": change.kind.value,
            "actor_kind": audit.actor.kind.value,
            "actor_id": audit.actor.id,
            "ip": audit.ip,
            "about": change.about,
            "before": dict(change.before),
            "after": dict(change.after),
        }
        async with writing(self._engine) as connection:
            await connection.execute(insert_into(AdministrativeActRow, self._engine.dialect), row)

    async def list(self, organisation_id: OrganisationId, limit: int) -> tuple[AdministrativeAct, ...]:
        return await self._find(_acts_of(organisation_id).limit(limit))

    async def list_about(self, organisation_id: OrganisationId, about: str) -> tuple[AdministrativeAct, ...]:
        return await self._find(_acts_of(organisation_id).where(AdministrativeActRow.about == about))

    async def _find(self, query: SelectOfScalar[AdministrativeActRow]) -> tuple[AdministrativeAct, ...]:
        async with reading(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return tuple(
            AdministrativeAct(
                act_id=row.act_id,
                organisation_id=OrganisationId(row.organisation_id),
                at=row.at,
                actor_kind=row.actor_kind,
                actor_id=row.actor_id,
                ip=row.ip,
                change=Change(ActKind(row.kind), row.about or "", row.before, row.after),
            )
            for row in rows
        )


def _acts_of(organisation_id: OrganisationId) -> SelectOfScalar[AdministrativeActRow]:
    table = AdministrativeActRow
    return select(table).where(table.organisation_id == organisation_id).order_by(col(table.at).desc(), table.act_id)
