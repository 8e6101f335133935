"""The event feed of an organisation in SQL: events are appended, and read from a position on."""

import secrets
from collections.abc import Sequence

import structlog
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col, select

from adapters.database.engine import Key, transaction
from adapters.database.repositories.labels import find_labels
from adapters.database.repositories.session_statements import KEY, session_statements
from adapters.database.repository import Repository
from adapters.database.tables.callbacks import FeedRow
from adapters.database.tables.sessions import EventRow
from domain.audit.events import FEED_START, Event, FeedEvent, FeedPosition
from domain.shared.ids import OrganisationId, SessionId

log = structlog.get_logger(__name__)


class DatabaseFeed(Repository):
    """Implements `Feed`."""

    async def after(
        self, organisation_id: OrganisationId, position: FeedPosition, limit: int
    ) -> tuple[FeedEvent, ...] | None:
        query = (
            select(FeedRow, EventRow)
            .join(
                EventRow,
                (col(EventRow.organisation_id) == FeedRow.organisation_id)
                & (col(EventRow.session_id) == FeedRow.session_id)
                & (col(EventRow.sequence) == FeedRow.sequence),
            )
            .where(FeedRow.organisation_id == organisation_id, FeedRow.position > position.number)
            .order_by(col(FeedRow.position))
            .limit(limit)
        )
        async with transaction(self._engine) as rows:
            here = await rows.get(FeedRow, (organisation_id, position.number))
            if position != FEED_START and (here is None or here.mark != position.mark):
                return None
            found = (await rows.exec(query)).all()
            sessions = {feed.session_id for feed, _ in found}
            labels = await find_labels(await rows.connection(), organisation_id, sessions) if sessions else {}
        return tuple(
            FeedEvent(
                FeedPosition(feed.position, feed.mark),
                SessionId(feed.session_id),
                event,
                labels.get(feed.session_id, {}),
            )
            for feed, row in found
            if (event := _readable(row)) is not None
        )


def _readable(row: EventRow) -> Event | None:
    """Returns the event; None, with a line in the log, if its row cannot be read. It must not end the feed."""
    try:
        return Event.model_validate(row.event)
    except ValidationError:
        log.error("an event cannot be read", session_id=row.session_id, sequence=row.sequence)  # noqa: TRY400  # no text of it
        return None


async def append_to_feed(connection: AsyncConnection, key: Key, sequences: Sequence[int]) -> None:
    """Appends new events of the session to its organisation's feed.

    The row with the last position stays locked until the transaction ends: a later writer gets higher positions and
    commits later, so a reader never misses a lower position.
    """
    if not sequences:
        return
    statements, columns = session_statements(connection.dialect), dict(zip(KEY, key, strict=True))
    parameters = {"organisation_id": key[0], "last": len(sequences)}
    last = (await connection.execute(statements.take_numbers, parameters)).scalar_one()
    numbered = [
        {**columns, "position": position, "sequence": sequence, "mark": secrets.token_hex(8)}
        for position, sequence in enumerate(sorted(sequences), start=last - len(sequences) + 1)
    ]
    await connection.execute(statements.add_numbers, numbered)
