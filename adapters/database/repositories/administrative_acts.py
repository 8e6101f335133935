"""The record of administrative acts in SQL."""

from uuid import uuid4

from sqlmodel import col, select

from adapters.database.engine import insert_into, reading, writing
from adapters.database.repository import Repository
from adapters.database.tables.organisations import AdministrativeActRow
from domain.audit.events import AuditContext
from domain.shared.ids import OrganisationId
from ports.administrative_acts import ActKind, AdministrativeAct, Change


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
        table = AdministrativeActRow
        query = select(table).where(table.organisation_id == organisation_id)
        query = query.order_by(col(table.at).desc(), table.act_id).limit(limit)
        async with reading(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return tuple(
            AdministrativeAct(
                act_id=row.act_id,
                organisation_id=organisation_id,
                at=row.at,
                actor_kind=row.actor_kind,
                actor_id=row.actor_id,
                ip=row.ip,
                change=Change(ActKind(row.kind), row.about or "", row.before, row.after),
            )
            for row in rows
        )
