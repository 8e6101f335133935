"""Sessions and their events in SQL."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from pydantic import ValidationError
from sqlalchemy import Select, Text, UpdateBase, cast, literal, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col, delete, func

from adapters.database.engine import (
    Key,
    insert_into,
    lock_session,
    of_session,
    reading,
    truncate_log,
    writing,
    writing_rows,
)
from adapters.database.repositories.callbacks import callback_rows, erase_callbacks
from adapters.database.repositories.event_feed import append_to_feed
from adapters.database.repositories.idempotency import erase_answers
from adapters.database.repositories.labels import find_holder, remove_metadata, write_labels
from adapters.database.repositories.session_list import SessionListQuery
from adapters.database.repositories.session_statements import KEY, session_statements
from adapters.database.repository import Repository, row_values
from adapters.database.tables.callbacks import FeedRow
from adapters.database.tables.sessions import (
    EmailCodeRow,
    EventRow,
    ExternalIdRow,
    FormDraftRow,
    LabelRow,
    RecipientRow,
    SessionRow,
    SigningUrlRow,
    TombstoneRow,
)
from domain.audit.events import Event
from domain.callbacks.callback import Callback
from domain.ports.database import HistoryDiffers, SessionHistory, Tombstone
from domain.session.deletion_mails import DeletionMails, deletion_mails
from domain.session.labels import ExternalIdTaken
from domain.session.list_query import SessionPage, SessionQuery, casefolded, people_of
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import OrganisationId, SessionId

log = structlog.get_logger(__name__)

_SNAPSHOT = cast(col(SessionRow.snapshot), Text).label("snapshot")
_KEYED = (col(SessionRow.organisation_id), col(SessionRow.session_id), _SNAPSHOT)
_EVENT = cast(col(EventRow.event), Text)
"""The columns as text: pydantic parses JSON faster than it validates parsed objects."""


UNREADABLE_FOR = timedelta(hours=1)
"""Time after which a worker tries again to read a session that it should start."""


class DatabaseSessionRows(Repository):
    """Implements `SessionRows`."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._statements = session_statements(engine.dialect)

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        async with writing(self._engine) as connection:
            await lock_session(connection, _key(session))
            # The write comes first: it takes SQLite's lock, so that later reads in the transaction are current.
            written = await connection.execute(self._statements.upsert_session, _row(session))
            if written.first() is not None:
                await self._write_recipients(connection, session)
                await write_labels(connection, session)
            await self._add(connection, session, events, callbacks)

    async def change(
        self,
        before: Session | None,
        session: Session,
        events: Sequence[Event],
        callbacks: Sequence[Callback] = (),
        *,
        start_at: datetime | None = None,
    ) -> bool:
        row = {**_row(session), "start_at": start_at}
        write: UpdateBase = insert_into(SessionRow, self._engine.dialect).values(row).on_conflict_do_nothing()
        if before is not None:
            write = (
                update(SessionRow)
                .where(*of_session(SessionRow, _key(before)), col(SessionRow.revision) == before.revision)
                .values(row)
            )
        async with writing(self._engine) as connection:
            await lock_session(connection, _key(session))
            if not (await connection.execute(write)).rowcount:
                return False
            await self._write_recipients(connection, session)
            if before is not None and before.metadata != session.metadata:
                await remove_metadata(connection, session)
            holder = await write_labels(connection, session)
            if before is None and holder != session.session_id:
                raise ExternalIdTaken(holder)
            return await self._add(connection, session, events, callbacks)

    async def _add(
        self, connection: AsyncConnection, session: Session, events: Sequence[Event], callbacks: Sequence[Callback]
    ) -> bool:
        """Adds events and callbacks. Returns false, and deletes all rows of the session, if it has a tombstone."""
        key = _key(session)
        if events:
            result = await connection.execute(self._statements.add_events, [_event_row(key, event) for event in events])
            added = result.scalars().all()
            await append_to_feed(connection, key, added)
            await self._compare(connection, key, [event for event in events if event.sequence not in added])
        if callbacks:
            await connection.execute(self._statements.add_callbacks, callback_rows(key, callbacks))
        found = await connection.execute(self._statements.find_tombstone, _columns(key))
        if found.first() is None:
            return True
        await _delete(connection, key)
        return False

    async def _compare(self, connection: AsyncConnection, key: Key, stored: Sequence[Event]) -> None:
        """Raises `HistoryDiffers` if the last event differs from the stored one. Its hash covers earlier events."""
        if not stored:
            return
        last = max(stored, key=lambda event: event.sequence)
        parameters = {**_columns(key), "sequence": last.sequence}
        event = (await connection.execute(self._statements.find_event, parameters)).scalar_one()
        if Event.model_validate_json(event).hash != last.hash:
            raise HistoryDiffers(
                f"Event {last.sequence} of session {key[1]} is another one in the database. Restore the database and "
                "Temporal to the same moment."
            )

    async def to_start(self, at: datetime, limit: int) -> Sequence[Session]:
        start_at = col(SessionRow.start_at)
        due = select(*_KEYED).where(start_at <= at).order_by(start_at).limit(limit)
        found = await self._keyed(due)
        for key in (key for key, session in found if session is None):
            await self.defer_start(*key, at + UNREADABLE_FOR)
        return [session for _, session in found if session]

    async def defer_start(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        mine = of_session(SessionRow, (organisation_id, session_id))
        is_due = col(SessionRow.start_at).is_not(None)
        await self._write(update(SessionRow).where(*mine, is_due).values(start_at=at))

    async def mark_started(self, session: Session) -> None:
        await self._write(update(SessionRow).where(*of_session(SessionRow, _key(session))).values(start_at=None))

    async def to_erase(self, at: datetime, limit: int) -> Sequence[Tombstone]:
        erase_at = col(TombstoneRow.erase_at)
        due = select(*TombstoneRow.__table__.c).where(erase_at <= at)  # type: ignore[attr-defined]  # of each table
        return await self._list(Tombstone, due.order_by(erase_at).limit(limit))

    async def mark_erasing(self, organisation_id: OrganisationId, session_id: SessionId) -> None:
        mine = of_session(TombstoneRow, (organisation_id, session_id))
        await self._write(update(TombstoneRow).where(*mine).values(erase_at=None))

    async def restart_erasure(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        mine = of_session(TombstoneRow, (organisation_id, session_id))
        await self._write(update(TombstoneRow).where(*mine).values(erase_at=at))

    async def with_runs(self, after: SessionId, limit: int) -> tuple[Sequence[Session], SessionId]:
        is_started = col(SessionRow.needs_run) & col(SessionRow.start_at).is_(None)
        query = select(*_KEYED).where(col(SessionRow.session_id) > after, is_started)
        found = await self._keyed(query.order_by(col(SessionRow.session_id)).limit(limit))
        last = found[-1][0][1] if len(found) == limit else SessionId("")
        return [session for _, session in found if session], last

    async def mark_stopped(self, session: Session, stopped_at: datetime | None) -> None:
        marked = session.model_copy(update={"stopped_at": stopped_at})
        same = (*of_session(SessionRow, _key(session)), col(SessionRow.revision) == session.revision)
        values = {"snapshot": marked.model_dump(mode="json"), "stopped_at": stopped_at}
        await self._write(update(SessionRow).where(*same).values(values))

    async def count_stopped(self) -> int:
        async with reading(self._engine) as connection:
            query = select(func.count()).where(col(SessionRow.stopped_at).is_not(None))
            return (await connection.execute(query)).scalar_one()

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        parameters = _columns((organisation_id, session_id))
        async with reading(self._engine) as connection:
            snapshot = (await connection.execute(self._statements.find_session, parameters)).scalar()
        return Session.model_validate_json(snapshot) if snapshot else None

    async def _keyed(
        self, query: Select[str, str, str]
    ) -> Sequence[tuple[tuple[OrganisationId, SessionId], Session | None]]:
        """Returns the sessions of a query for `_KEYED` with their keys; None for one that cannot be read."""
        async with reading(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return [((OrganisationId(row[0]), SessionId(row[1])), _readable(row[1], row[2])) for row in rows]

    async def find_history(self, organisation_id: OrganisationId, session_id: SessionId) -> SessionHistory | None:
        key = (organisation_id, session_id)
        # One statement reads one snapshot. Two would read two, even in one transaction of PostgreSQL (READ COMMITTED).
        snapshot = select(literal(0).label("sequence"), _SNAPSHOT).where(*of_session(SessionRow, key))
        events = select(col(EventRow.sequence), _EVENT).where(*of_session(EventRow, key))
        async with reading(self._engine) as connection:
            rows = await connection.execute(union_all(snapshot, events).order_by("sequence"))
            found = [(sequence, text) for sequence, text in rows]
        if not found or found[0][0] != 0:
            return None
        history = tuple(Event.model_validate_json(text) for _, text in found[1:])
        return SessionHistory(Session.model_validate_json(found[0][1]), history)

    async def list_sessions(self, organisation_id: OrganisationId, query: SessionQuery) -> SessionPage:
        async with reading(self._engine) as connection:
            ids, total = await SessionListQuery(connection, organisation_id, query).find()
            mine = (col(SessionRow.organisation_id) == organisation_id, col(SessionRow.session_id).in_(ids))
            found = await connection.execute(select(col(SessionRow.session_id), _SNAPSHOT).where(*mine))
        snapshots = {row.session_id: row.snapshot for row in found}
        # A session may be erased between the two statements.
        readable = (_readable(name, snapshots[name]) for name in ids if name in snapshots)
        return SessionPage(tuple(filter(None, readable)), total)

    async def count_sessions(self, organisation_id: OrganisationId) -> dict[SessionStatus, int]:
        status, mine = col(SessionRow.status), col(SessionRow.organisation_id) == organisation_id
        async with reading(self._engine) as connection:
            counts = await connection.execute(select(status, func.count()).where(mine).group_by(status))
            return {SessionStatus(status): count for status, count in counts}

    async def find_external_id(self, organisation_id: OrganisationId, external_id: str) -> SessionId | None:
        async with reading(self._engine) as connection:
            return await find_holder(connection, organisation_id, external_id)

    async def is_erased(self, organisation_id: OrganisationId, session_id: SessionId) -> bool:
        async with reading(self._engine) as connection:
            key = _columns((organisation_id, session_id))
            return (await connection.execute(self._statements.find_tombstone, key)).first() is not None

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        mine = of_session(EventRow, (organisation_id, session_id))
        query = select(_EVENT).where(*mine).order_by(col(EventRow.sequence))
        async with reading(self._engine) as connection:
            return tuple(map(Event.model_validate_json, (await connection.execute(query)).scalars()))

    async def erase(
        self,
        organisation_id: OrganisationId,
        session_id: SessionId,
        at: datetime,
        announce: Callable[[Session], Callback | None] = lambda _: None,
        *,
        erase_at: datetime | None = None,
    ) -> None:
        key = (organisation_id, session_id)
        tombstone: dict[str, object] = {**_columns(key), "erased_at": at, "erase_at": erase_at}
        async with writing(self._engine) as connection:
            await lock_session(connection, key)
            # The row exists at the first call only, so the deletion is announced once.
            snapshot = (await connection.execute(self._statements.find_session, _columns(key))).scalar()
            session = Session.model_validate_json(snapshot) if snapshot else None
            mails, callback = (deletion_mails(session, at), announce(session)) if session else (None, None)
            tombstone["mails"] = mails.model_dump_json() if mails else None
            insertion = insert_into(TombstoneRow, self._engine.dialect).on_conflict_do_nothing()
            await connection.execute(insertion, tombstone)
            await _delete(connection, key)
            if callback is not None:
                await connection.execute(self._statements.add_callbacks, callback_rows(key, [callback]))
        await truncate_log(self._engine)

    async def find_deletion_mails(self, organisation_id: OrganisationId, session_id: SessionId) -> DeletionMails | None:
        tombstone = await self._find_row(TombstoneRow, organisation_id, session_id)
        return DeletionMails.model_validate_json(tombstone.mails) if tombstone and tombstone.mails else None

    async def store_receipt(self, organisation_id: OrganisationId, session_id: SessionId, receipt: str) -> str:
        async with writing_rows(self._engine) as rows:
            await lock_session(await rows.connection(), (organisation_id, session_id))
            tombstone = await rows.get_one(TombstoneRow, (organisation_id, session_id), with_for_update=True)
            tombstone.receipt = stored = tombstone.receipt or receipt
            tombstone.mails = None
        await truncate_log(self._engine)
        return stored

    async def find_receipt(self, organisation_id: OrganisationId, session_id: SessionId) -> str | None:
        tombstone = await self._find_row(TombstoneRow, organisation_id, session_id)
        return tombstone.receipt if tombstone else None

    async def _write_recipients(self, connection: AsyncConnection, session: Session) -> None:
        key = _columns(_key(session))
        emails = sorted({recipient.email.lower() for recipient in session.recipients})
        await connection.execute(self._statements.remove_recipients, {**key, "emails": emails})
        if emails:
            await connection.execute(self._statements.add_recipients, [{**key, "email": email} for email in emails])


def _readable(session_id: str, snapshot: str) -> Session | None:
    """Returns the session; None, with a line in the log, if its row cannot be read. It must not hide the others."""
    try:
        return Session.model_validate_json(snapshot)
    except ValidationError as error:
        log.error("a session cannot be read", session_id=session_id, errors=error.error_count())  # noqa: TRY400  # no text of it
        return None


def _key(session: Session) -> Key:
    return session.organisation_id, session.session_id


def _columns(key: Key) -> dict[str, Any]:
    return dict(zip(KEY, key, strict=True))


async def _delete(connection: AsyncConnection, key: Key) -> None:
    of_pages = (FormDraftRow, EmailCodeRow, SigningUrlRow)
    for table in (SessionRow, RecipientRow, LabelRow, ExternalIdRow, EventRow, *of_pages):
        await connection.execute(delete(table).where(*of_session(table, key)))
    # Feed readers that stopped at one of these positions can continue.
    await connection.execute(update(FeedRow).where(*of_session(FeedRow, key)).values(session_id=""))
    await erase_callbacks(connection, key)
    await erase_answers(connection, key)


def _event_row(key: Key, event: Event) -> dict[str, Any]:
    return {**_columns(key), "sequence": event.sequence, "event": event.model_dump(mode="json")}


def _row(session: Session) -> dict[str, Any]:
    found = {"folded_name": casefolded(session.name), "people": people_of(session)}
    snapshot, status = session.model_dump(mode="json"), session.status.value
    return row_values(SessionRow, session, snapshot=snapshot, **found, status=status, start_at=None)
