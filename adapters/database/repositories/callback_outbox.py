"""Callbacks in SQL that are neither delivered nor have a workflow run."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, not_, or_, select
from sqlalchemy.orm import Mapped
from sqlmodel import col, update

from adapters.database.engine import reading, writing_rows
from adapters.database.repositories.callbacks import FAILS, outgoing
from adapters.database.repository import Repository, to_record
from adapters.database.tables.callbacks import CallbackReceiverRow, CallbackRow
from domain.callbacks.delivery_schedule import Delivery
from domain.ports.callbacks import BEFORE_RUNS, CallbackKey, ClaimedDelivery, OutgoingCallback, ReceiverKey
from domain.shared.ids import EventId, OrganisationId

CLAIMED_FOR = timedelta(seconds=30)
"""Duration of a claim. After it another process may claim the callback."""

_ORGANISATION, _EVENT = col(CallbackRow.organisation_id), col(CallbackRow.event_id)
_RECEIVER = col(CallbackRow.receiver)
_NAMES = (_ORGANISATION, col(CallbackRow.session_id), _EVENT, col(CallbackRow.type), _RECEIVER)


class DatabaseCallbackOutbox(Repository):
    """Implements `CallbackOutbox`."""

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
        await self._write(update(CallbackRow).where(_any_of(one, _EVENT)).values(begin_at=None))

    async def _find(self, query: Select[str, str]) -> Collection[CallbackKey]:
        """Returns the keys that `query` selects. Takes no lock, because usually nothing is due."""
        async with reading(self._engine) as connection:
            found = await connection.execute(query)
            return [(OrganisationId(row.organisation_id), EventId(row.event_id)) for row in found]

    async def _claim(
        self, names: Collection[CallbackKey], at: datetime, *query: ColumnElement[bool]
    ) -> Sequence[ClaimedDelivery]:
        if not names:
            return []
        statement = (
            update(CallbackRow)
            .where(_any_of(names, _EVENT), col(CallbackRow.begin_at) <= at, *query)
            .values(begin_at=at + CLAIMED_FOR)
            .returning(_ORGANISATION, _EVENT)
            .execution_options(synchronize_session=False)
        )
        async with writing_rows(self._engine) as rows:
            mine = [(OrganisationId(row.organisation_id), row.event_id) for row in await rows.exec(statement)]
            if not mine:
                return []
            query_by_key = outgoing([BEFORE_RUNS]).add_columns(*_NAMES).where(_any_of(mine, _EVENT))
            claimed = (await rows.exec(query_by_key)).all()  # type: ignore[call-overload]  # sqlmodel knows no such select
        return [ClaimedDelivery(to_record(Delivery, row), OutgoingCallback(*row[:5])) for row in claimed]


def _due(at: datetime, limit: int, *first: ColumnElement[Any]) -> Select[str, str]:
    """Selects the keys of due callbacks, ordered by `first`, then the longest waiting."""
    order = (*first, col(CallbackRow.begin_at), col(CallbackRow.sequence))
    query = select(_ORGANISATION, _EVENT)
    return query.where(col(CallbackRow.begin_at) <= at).order_by(*order).limit(limit)


def _any_of(pairs: Collection[tuple[OrganisationId, str]], column: Mapped[str]) -> ColumnElement[bool]:
    """Returns the condition that organisation and `column` are one of `pairs`.

    One condition per organisation uses the index of the primary key. For a list of pairs, SQLite scans all due
    callbacks.
    """
    groups = groupby(sorted(pairs), key=itemgetter(0))
    return or_(*(and_(name == _ORGANISATION, column.in_([value for _, value in group])) for name, group in groups))
