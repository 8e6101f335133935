"""Callbacks whose delivery has not begun, in SQL."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import and_, exists, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, select, update

from adapters.database.callback_tables import CallbackReceiverRow, CallbackRow
from adapters.database.engine import reading, writing
from domain.deliveries import Delivery
from domain.ids import EventId, OrganisationId, SessionId

TAKEN_FOR = timedelta(seconds=30)
"""Whoever takes a callback begins its delivery within this time, or leaves that to others."""


class DatabaseAnnouncements:
    """Keeps `Announcements`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def take(self, at: datetime, limit: int, *, failing: bool) -> Sequence[Delivery]:
        found = await self._due(at, limit, failing=failing)
        if not found:
            return []
        names = tuple_(col(CallbackRow.organisation_id), col(CallbackRow.event_id))
        taking = (
            update(CallbackRow)
            .where(names.in_(found), col(CallbackRow.begin_at) <= at)
            .values(begin_at=at + TAKEN_FOR)
            .returning(
                col(CallbackRow.organisation_id),
                col(CallbackRow.session_id),
                col(CallbackRow.event_id),
                col(CallbackRow.receiver),
            )
        )
        async with writing(self._engine) as rows:
            taken = (await rows.exec(taking)).all()
        return [
            Delivery(
                organisation_id=OrganisationId(row.organisation_id),
                session_id=SessionId(row.session_id),
                event_id=EventId(row.event_id),
                receiver=row.receiver,
                is_failing=failing,
            )
            for row in taken
        ]

    async def mark_begun(self, deliveries: Sequence[Delivery]) -> None:
        names = tuple_(col(CallbackRow.organisation_id), col(CallbackRow.event_id))
        begun = [(delivery.organisation_id, delivery.event_id) for delivery in deliveries]
        async with writing(self._engine) as rows:
            await rows.exec(update(CallbackRow).where(names.in_(begun)).values(begin_at=None))

    async def _due(self, at: datetime, limit: int, *, failing: bool) -> list[tuple[str, str]]:
        """A look first, which takes no lock: mostly there is nothing."""
        wanted = select(CallbackRow.organisation_id, CallbackRow.event_id).where(col(CallbackRow.begin_at) <= at)
        fails = and_(
            col(CallbackReceiverRow.organisation_id) == CallbackRow.organisation_id,
            col(CallbackReceiverRow.receiver) == CallbackRow.receiver,
        )
        if failing:
            # Who has failed for the shortest time is the likeliest to answer.
            wanted = wanted.join(CallbackReceiverRow, fails).order_by(col(CallbackReceiverRow.failing_since).desc())
        else:
            wanted = wanted.where(~exists().where(fails))
        wanted = wanted.order_by(col(CallbackRow.begin_at), col(CallbackRow.sequence)).limit(limit)
        async with reading(self._engine) as connection:
            return [(row.organisation_id, row.event_id) for row in await connection.execute(wanted)]
