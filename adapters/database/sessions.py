"""The projection of sessions in SQL."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import transaction
from adapters.database.tables import EventRow, SessionRow, TombstoneRow
from domain.events import Event
from domain.ids import OrganisationId, SessionId
from domain.session import Session


class DatabaseSessionRows:
    """Keeps `SessionRows`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def record(self, session: Session, events: Sequence[Event]) -> None:
        key = (session.organisation_id, session.session_id)
        async with transaction(self._engine) as rows:
            if await rows.get(TombstoneRow, key):
                return
            known = await rows.get(SessionRow, key, with_for_update=True)
            if known is None or known.revision <= session.revision:
                await rows.merge(_row(session))
            await _add_events(rows, key, events)

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(SessionRow, (organisation_id, session_id))
        return Session.model_validate(row.snapshot) if row else None

    async def is_erased(self, organisation_id: OrganisationId, session_id: SessionId) -> bool:
        async with transaction(self._engine) as rows:
            return await rows.get(TombstoneRow, (organisation_id, session_id)) is not None

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        wanted = (
            select(EventRow)
            .where(EventRow.organisation_id == organisation_id, EventRow.session_id == session_id)
            .order_by(col(EventRow.sequence))
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(wanted)).all()
        return tuple(Event.model_validate(row.event) for row in found)

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        key = (organisation_id, session_id)
        async with transaction(self._engine) as rows:
            if await rows.get(TombstoneRow, key) is None:
                rows.add(TombstoneRow(organisation_id=organisation_id, session_id=session_id, erased_at=at))
            for table in (SessionRow, EventRow):
                await rows.exec(
                    delete(table).where(
                        col(table.organisation_id) == organisation_id, col(table.session_id) == session_id
                    )
                )


async def _add_events(rows: AsyncSession, key: tuple[OrganisationId, SessionId], events: Sequence[Event]) -> None:
    """Appends what is not there yet; an event never changes."""
    for event in events:
        if await rows.get(EventRow, (*key, event.sequence)) is None:
            rows.add(
                EventRow(
                    organisation_id=key[0],
                    session_id=key[1],
                    sequence=event.sequence,
                    event=event.model_dump(mode="json"),
                )
            )


def _row(session: Session) -> SessionRow:
    return SessionRow(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        revision=session.revision,
        name=session.name,
        status=session.status.value,
        created_at=session.created_at,
        updated_at=session.updated_at,
        completed_at=session.completed_at,
        snapshot=session.model_dump(mode="json"),
    )
