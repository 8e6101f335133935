"""The events of a whole organisation, in one order that nobody can fall out of."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.callback_port import FeedEvent
from adapters.database.callback_tables import FeedHeadRow, FeedRow
from adapters.database.engine import transaction
from adapters.database.locks import Key
from adapters.database.tables import EventRow
from domain.events import Event
from domain.ids import OrganisationId, SessionId


class DatabaseFeed:
    """Keeps `Feed`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def after(self, organisation_id: OrganisationId, position: int, limit: int) -> tuple[FeedEvent, ...]:
        wanted = (
            select(FeedRow, EventRow)
            .join(
                EventRow,
                (col(EventRow.organisation_id) == FeedRow.organisation_id)
                & (col(EventRow.session_id) == FeedRow.session_id)
                & (col(EventRow.sequence) == FeedRow.sequence),
            )
            .where(FeedRow.organisation_id == organisation_id, FeedRow.position > position)
            .order_by(col(FeedRow.position))
            .limit(limit)
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(wanted)).all()
        return tuple(
            FeedEvent(feed.position, SessionId(feed.session_id), Event.model_validate(row.event)) for feed, row in found
        )


async def number_events(rows: AsyncSession, key: Key, sequences: Sequence[int]) -> None:
    """Puts new events of that session at the end of its organisation's feed.

    The row with the last number stays locked until the transaction ends: whoever comes next gets later numbers and
    commits later, so that a reader who has seen one number will meet no smaller one.
    """
    if not sequences:
        return
    insert = sqlite.insert if rows.get_bind().dialect.name == "sqlite" else postgresql.insert
    taken: Any = insert(FeedHeadRow).values(organisation_id=key[0], last=len(sequences))
    taken = taken.on_conflict_do_update(
        index_elements=["organisation_id"], set_={"last": col(FeedHeadRow.last) + len(sequences)}
    )
    last = (await rows.exec(taken.returning(col(FeedHeadRow.last)))).scalar_one()
    numbered = [
        {"organisation_id": key[0], "position": position, "session_id": key[1], "sequence": sequence}
        for position, sequence in enumerate(sorted(sequences), start=last - len(sequences) + 1)
    ]
    await rows.exec(insert(FeedRow).values(numbered))
