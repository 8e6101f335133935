"""Callbacks whose delivery has not begun, in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

from sqlalchemy import ColumnElement, and_, exists, or_
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, select, update

from adapters.database.callback_port import CallbackName
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

    async def take(
        self, at: datetime, limit: int, *, failing: bool, among: Collection[CallbackName] | None = None
    ) -> Sequence[Delivery]:
        found = await self._due(at, limit, failing=failing, among=among)
        if not found:
            return []
        taking = (
            update(CallbackRow)
            .where(_named(found), col(CallbackRow.begin_at) <= at)
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
        begun = [(delivery.organisation_id, delivery.event_id) for delivery in deliveries]
        async with writing(self._engine) as rows:
            await rows.exec(update(CallbackRow).where(_named(begun)).values(begin_at=None))

    async def _due(
        self, at: datetime, limit: int, *, failing: bool, among: Collection[CallbackName] | None
    ) -> list[CallbackName]:
        """A look first, which takes no lock: mostly there is nothing."""
        wanted = select(CallbackRow.organisation_id, CallbackRow.event_id).where(col(CallbackRow.begin_at) <= at)
        if among is not None:
            wanted = wanted.where(_named(among))
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
            found = await connection.execute(wanted)
            return [(OrganisationId(row.organisation_id), EventId(row.event_id)) for row in found]


def _named(names: Collection[CallbackName]) -> ColumnElement[bool]:
    """By the key: of a list of pairs SQLite thinks that going through all that is due is quicker."""
    by_organisation = groupby(sorted(names), key=itemgetter(0))
    return or_(
        *(
            and_(
                col(CallbackRow.organisation_id) == organisation_id,
                col(CallbackRow.event_id).in_([event_id for _, event_id in its]),
            )
            for organisation_id, its in by_organisation
        )
    )
