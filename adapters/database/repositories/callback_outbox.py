"""Callbacks that were not delivered yet and have no delivery in Temporal, in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.orm import Mapped
from sqlmodel import col, update

from adapters.database.engine import reading, writing
from adapters.database.records import to_record
from adapters.database.repositories.callbacks import FAILS, outgoing
from adapters.database.tables.callbacks import CallbackReceiverRow, CallbackRow
from domain.callbacks.retries_and_pauses import Delivery
from domain.shared.ids import EventId, OrganisationId
from ports.callbacks import BEFORE_RUNS, CallbackKey, ClaimedDelivery, OutgoingCallback, ReceiverKey

CLAIMED_FOR = timedelta(seconds=30)
"""How long a claim lasts. After it another process may claim the callback."""

_ORGANISATION, _EVENT, _RECEIVER = (
    col(CallbackRow.organisation_id),
    col(CallbackRow.event_id),
    col(CallbackRow.receiver),
)
_NAMES = (_ORGANISATION, col(CallbackRow.session_id), _EVENT, col(CallbackRow.type), _RECEIVER)


class DatabaseCallbackOutbox:
    """Implements `CallbackOutbox`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def claim(
        self,
        at: datetime,
        limit: int,
        *,
        among: Collection[CallbackKey] | None = None,
        without: Collection[ReceiverKey] = (),
    ) -> Sequence[ClaimedDelivery]:
        query = [~exists().where(FAILS)]
        if without:
            query.append(not_(_any_of(without, _RECEIVER)))
        names = await self._find(_due(at, limit).where(*query)) if among is None else among
        return await self._claim(names, at, *query)

    async def claim_failing(self, at: datetime, limit: int) -> Sequence[ClaimedDelivery]:
        # The receiver that started to fail last is the likeliest to respond.
        latest = col(CallbackReceiverRow.failing_since).desc()
        return await self._claim(await self._find(_due(at, limit, latest).join(CallbackReceiverRow, FAILS)), at)

    async def mark_started(self, delivery: Delivery) -> None:
        one = [(delivery.organisation_id, delivery.event_id)]
        async with writing(self._engine) as rows:
            await rows.exec(update(CallbackRow).where(_any_of(one, _EVENT)).values(begin_at=None))

    async def _find(self, query: Select[str, str]) -> Collection[CallbackKey]:
        """A look that takes no lock: mostly there is nothing."""
        async with reading(self._engine) as connection:
            found = await connection.execute(query)
            return [(OrganisationId(row.organisation_id), EventId(row.event_id)) for row in found]

    async def _claim(
        self, names: Collection[CallbackKey], at: datetime, *query: ColumnElement[bool]
    ) -> Sequence[ClaimedDelivery]:
        if not names:
            return []
        taking = (
            update(CallbackRow)
            .where(_any_of(names, _EVENT), col(CallbackRow.begin_at) <= at, *query)
            .values(begin_at=at + CLAIMED_FOR)
            .returning(_ORGANISATION, _EVENT)
            .execution_options(synchronize_session=False)
        )
        async with writing(self._engine) as rows:
            mine = [(OrganisationId(row.organisation_id), row.event_id) for row in await rows.exec(taking)]
            if not mine:
                return []
            looking = outgoing([BEFORE_RUNS]).add_columns(*_NAMES).where(_any_of(mine, _EVENT))
            taken = (await rows.exec(looking)).all()  # type: ignore[call-overload]  # sqlmodel knows no such select
        return [
            ClaimedDelivery(
                to_record(Delivery, row),
                OutgoingCallback(*row[:5]),
            )
            for row in taken
        ]


def _due(at: datetime, limit: int, *first: ColumnElement[Any]) -> Select[str, str]:
    """Selects the keys of due callbacks, ordered by `first`, then the longest waiting."""
    order = (*first, col(CallbackRow.begin_at), col(CallbackRow.sequence))
    query = select(_ORGANISATION, _EVENT)
    return query.where(col(CallbackRow.begin_at) <= at).order_by(*order).limit(limit)


def _any_of(pairs: Collection[tuple[OrganisationId, str]], column: Mapped[str]) -> ColumnElement[bool]:
    """By the key: of a list of pairs SQLite thinks that going through all that is due is quicker."""
    return or_(
        *(
            and_(
                col(CallbackRow.organisation_id) == organisation_id,
                column.in_([value for _, value in its]),
            )
            for organisation_id, its in groupby(sorted(pairs), key=itemgetter(0))
        )
    )
