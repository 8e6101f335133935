"""Callbacks and the log of their delivery in SQL."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, and_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col, delete, func, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from adapters.database.engine import Key, insert_into, lock_session, of_session, reading, transaction, writing_rows
from adapters.database.repository import Repository, row_values, to_record
from adapters.database.tables.callbacks import CallbackAttemptRow, CallbackReceiverRow, CallbackRow
from adapters.database.tables.sessions import SessionRow
from domain.callbacks.callback import SESSION_DELETED, Callback, CallbackStatus, receiver_of
from domain.callbacks.delivery_schedule import RETRY_WAITS, Attempt, CallbackLogEntry, Delivery, ReceiverFailures
from domain.ports.callbacks import BEFORE_RUNS, CallbackAttempt, LatestCallback, OutgoingCallback, PausedReceiver
from domain.shared.ids import EventId, OrganisationId, SessionId

FAILS = and_(
    col(CallbackReceiverRow.organisation_id) == CallbackRow.organisation_id,
    col(CallbackReceiverRow.receiver) == CallbackRow.receiver,
)
"""Joins a callback with its failing receiver."""


class DatabaseCallbacks(Repository):
    """Implements `Callbacks`."""

    async def find(self, delivery: Delivery, run_id: str) -> OutgoingCallback | None:
        runs = {run_id} if delivery.was_asked_for else {run_id, BEFORE_RUNS}
        async with reading(self._engine) as connection:
            row = (await connection.execute(outgoing(runs).where(*_is(delivery)))).first()
        return None if row is None else OutgoingCallback(*row)

    async def pause(self, delivery: Delivery) -> None:
        await self._write(update(CallbackRow).where(*_is(delivery)).values(is_held=True, next_attempt_at=None))

    async def stop(self, delivery: Delivery) -> None:
        async with writing_rows(self._engine) as rows:
            row = await rows.get(CallbackRow, (delivery.organisation_id, delivery.event_id), with_for_update=True)
            if row is None or row.status != CallbackStatus.PENDING:
                return
            row.status, row.is_held, row.next_attempt_at, row.begin_at = CallbackStatus.FAILED.value, False, None, None
            rows.add(row)
            if row.type == SESSION_DELETED:
                await _delete_callback(rows, delivery)

    async def mark_failing(self, delivery: Delivery, at: datetime) -> None:
        async with writing_rows(self._engine) as rows:
            await self._note_failing(rows, delivery, at)

    async def record_attempt(self, tried: CallbackAttempt) -> datetime | None:
        delivery = tried.delivery
        async with writing_rows(self._engine) as rows:
            await lock_session(await rows.connection(), (delivery.organisation_id, delivery.session_id))
            # The write comes first: it takes SQLite's lock, so that later reads in the transaction are current.
            await rows.exec(
                insert_into(CallbackAttemptRow, self._engine.dialect)
                .values(_attempt_row(tried))
                .on_conflict_do_nothing()
            )
            paused_since = await self._judge(rows, delivery, tried.attempt)
            status = _status(tried, is_held=paused_since is not None)
            waits = None if paused_since else tried.wait
            changes: dict[str, object] = {
                "status": status.value,
                "is_held": paused_since is not None,
                "next_attempt_at": tried.attempt.at + waits if waits else None,
            }
            if status is not CallbackStatus.PENDING:
                changes["begin_at"] = None
            statement = update(CallbackRow).where(*_is(delivery)).values(changes).returning(col(CallbackRow.type))
            row = (await rows.exec(statement.execution_options(synchronize_session=False))).first()
            if row is None:  # erased meanwhile
                await rows.exec(delete(CallbackAttemptRow).where(*_is(delivery, CallbackAttemptRow)))
                return None
            if row.type == SESSION_DELETED and status is not CallbackStatus.PENDING:
                await _delete_callback(rows, delivery)
            return paused_since

    async def _judge(self, rows: AsyncSession, delivery: Delivery, attempt: Attempt) -> datetime | None:
        """Updates the receiver after an attempt.

        Returns the start of its pause, if the attempt failed and it is paused.
        """
        key = (delivery.organisation_id, delivery.receiver)
        if attempt.succeeded:
            recovered = delete(CallbackReceiverRow).where(
                col(CallbackReceiverRow.organisation_id) == key[0],
                col(CallbackReceiverRow.receiver) == key[1],
                col(CallbackReceiverRow.paused_since).is_(None),
            )
            await rows.exec(recovered.execution_options(synchronize_session=False))
            return None
        receiver = await rows.get(CallbackReceiverRow, key, with_for_update=True)
        if receiver is None:
            await self._note_failing(rows, delivery, attempt.at)
            return None
        failures = ReceiverFailures(receiver.failing_since, receiver.last_failed_at, receiver.paused_since)
        receiver.failing_since, receiver.last_failed_at, receiver.paused_since = failures.with_failure(attempt.at)
        rows.add(receiver)
        return receiver.paused_since

    async def log(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[CallbackLogEntry, ...]:
        key = (organisation_id, session_id)
        async with transaction(self._engine) as rows:
            query = select(CallbackRow).where(*of_session(CallbackRow, key)).order_by(col(CallbackRow.sequence))
            tries = select(CallbackAttemptRow).where(*of_session(CallbackAttemptRow, key))
            return await self._entries(rows, organisation_id, (await rows.exec(query)).all(), tries)

    async def latest(self, organisation_id: OrganisationId, limit: int) -> tuple[LatestCallback, ...]:
        attempted = (
            select(CallbackAttemptRow.event_id)
            .where(CallbackAttemptRow.organisation_id == organisation_id)
            .order_by(col(CallbackAttemptRow.at).desc())
            .limit(limit * (len(RETRY_WAITS) + 1))
        )
        async with transaction(self._engine) as rows:
            events = [*dict.fromkeys((await rows.exec(attempted)).all())][:limit]
            query = (
                select(CallbackRow, SessionRow.name)
                .outerjoin(
                    SessionRow,
                    and_(
                        col(SessionRow.organisation_id) == CallbackRow.organisation_id,
                        col(SessionRow.session_id) == CallbackRow.session_id,
                    ),
                )
                .where(CallbackRow.organisation_id == organisation_id, col(CallbackRow.event_id).in_(events))
            )
            found = sorted((await rows.exec(query)).all(), key=lambda both: events.index(both[0].event_id))
            tries = select(CallbackAttemptRow).where(
                CallbackAttemptRow.organisation_id == organisation_id, col(CallbackAttemptRow.event_id).in_(events)
            )
            entries = await self._entries(rows, organisation_id, [row for row, _ in found], tries)
        return tuple(
            LatestCallback(SessionId(row.session_id), name, entry)
            for (row, name), entry in zip(found, entries, strict=True)
        )

    async def _entries(
        self,
        rows: AsyncSession,
        organisation_id: OrganisationId,
        callbacks: Sequence[CallbackRow],
        tries: SelectOfScalar[CallbackAttemptRow],
    ) -> tuple[CallbackLogEntry, ...]:
        """Returns the entries of `callbacks`, whose attempts `tries` selects."""
        now = datetime.now(UTC)
        by_event = tries.order_by(col(CallbackAttemptRow.event_id), col(CallbackAttemptRow.at))
        attempts = {
            event: tuple(to_record(Attempt, row) for row in found)
            for event, found in groupby((await rows.exec(by_event)).all(), lambda row: row.event_id)
        }
        waiting = {row.receiver for row in callbacks if row.is_held or row.begin_at is not None}
        failing = await self._failing(rows, organisation_id, waiting)
        return tuple(
            CallbackLogEntry(
                event_id=EventId(row.event_id),
                type=row.type,
                receiver=row.receiver,
                status=CallbackStatus(row.status),
                attempts=attempts.get(row.event_id, ()),
                next_attempt_at=row.next_attempt_at,
                paused_since=failing.get(row.receiver) if row.is_held else None,
                is_first_try=row.begin_at is not None
                and row.event_id not in attempts
                and (row.begin_at > now or row.receiver not in failing),
            )
            for row in callbacks
        )

    async def paused(self, organisation_id: OrganisationId) -> tuple[PausedReceiver, ...]:
        held_count = select(func.count()).where(
            CallbackRow.organisation_id == CallbackReceiverRow.organisation_id,
            CallbackRow.receiver == CallbackReceiverRow.receiver,
            col(CallbackRow.is_held),
        )
        query = (
            select(CallbackReceiverRow, held_count.scalar_subquery())
            .where(
                CallbackReceiverRow.organisation_id == organisation_id,
                col(CallbackReceiverRow.paused_since).is_not(None),
            )
            .order_by(col(CallbackReceiverRow.receiver))
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(query)).all()
        return tuple(
            PausedReceiver(row.receiver, row.failing_since, row.paused_since, count)
            for row, count in found
            if row.paused_since
        )

    async def resume(self, organisation_id: OrganisationId, receiver: str | None = None) -> Sequence[Delivery]:
        paused = delete(CallbackReceiverRow).where(
            col(CallbackReceiverRow.organisation_id) == organisation_id,
            col(CallbackReceiverRow.paused_since).is_not(None),
        )
        query = select(CallbackRow).where(
            CallbackRow.organisation_id == organisation_id, col(CallbackRow.is_held).is_(True)
        )
        if receiver is not None:
            paused = paused.where(col(CallbackReceiverRow.receiver) == receiver)
            query = query.where(CallbackRow.receiver == receiver)
        async with writing_rows(self._engine) as rows:
            await rows.exec(paused)
            found = (await rows.exec(query.order_by(col(CallbackRow.session_id), col(CallbackRow.sequence)))).all()
        return [to_record(Delivery, row) for row in found]

    async def _note_failing(self, rows: AsyncSession, delivery: Delivery, at: datetime) -> None:
        row = row_values(CallbackReceiverRow, delivery, failing_since=at, last_failed_at=at)
        await rows.exec(insert_into(CallbackReceiverRow, self._engine.dialect).values(row).on_conflict_do_nothing())

    async def _failing(
        self, rows: AsyncSession, organisation_id: OrganisationId, receivers: set[str]
    ) -> dict[str, datetime | None]:
        """Returns the failing ones of `receivers`, each with the start of its pause or None."""
        if not receivers:
            return {}
        query = select(CallbackReceiverRow).where(
            CallbackReceiverRow.organisation_id == organisation_id, col(CallbackReceiverRow.receiver).in_(receivers)
        )
        return {row.receiver: row.paused_since for row in (await rows.exec(query)).all()}


def outgoing(runs: Collection[str]) -> Select[*tuple[Any, ...]]:
    """Selects the columns of `OutgoingCallback`. `tries` counts the attempts of the given runs."""
    tries = (
        select(func.count())
        .where(
            col(CallbackAttemptRow.organisation_id) == CallbackRow.organisation_id,
            col(CallbackAttemptRow.event_id) == CallbackRow.event_id,
            col(CallbackAttemptRow.run_id).in_(runs),
        )
        .correlate(CallbackRow)
    )
    found: Select[*tuple[Any, ...]] = (
        select(CallbackRow.url, CallbackRow.body, CallbackReceiverRow.paused_since, CallbackRow.next_attempt_at)
        .add_columns(tries.scalar_subquery())
        .outerjoin(CallbackReceiverRow, FAILS)
    )
    return found


def callback_rows(key: Key, callbacks: Iterable[Callback]) -> list[dict[str, Any]]:
    """Returns the rows of new callbacks of the session."""
    new = {"organisation_id": key[0], "session_id": key[1], "status": CallbackStatus.PENDING.value, "is_held": False}
    return [
        row_values(
            CallbackRow,
            callback,
            receiver=receiver_of(callback.url),
            next_attempt_at=callback.at,
            begin_at=datetime.now(UTC),
            **new,
        )
        for callback in callbacks
    ]


async def erase_callbacks(connection: AsyncConnection, key: Key) -> None:
    """Deletes the callbacks of the session with their log, except the one that reports its deletion."""
    last = select(CallbackRow.event_id).where(*of_session(CallbackRow, key), CallbackRow.type == SESSION_DELETED)
    for table in (CallbackAttemptRow, CallbackRow):
        await connection.execute(delete(table).where(*of_session(table, key), col(table.event_id).not_in(last)))


async def _delete_callback(rows: AsyncSession, delivery: Delivery) -> None:
    await rows.flush()
    for table in (CallbackAttemptRow, CallbackRow):
        await rows.exec(delete(table).where(*_is(delivery, table)))


def _is(delivery: Delivery, table: type[CallbackRow | CallbackAttemptRow] = CallbackRow) -> tuple[Any, Any]:
    return col(table.organisation_id) == delivery.organisation_id, col(table.event_id) == delivery.event_id


def _status(tried: CallbackAttempt, *, is_held: bool) -> CallbackStatus:
    if tried.attempt.succeeded:
        return CallbackStatus.DELIVERED
    return CallbackStatus.PENDING if is_held or tried.wait is not None else CallbackStatus.FAILED


def _attempt_row(tried: CallbackAttempt) -> dict[str, Any]:
    key = row_values(CallbackAttemptRow, tried.delivery, run_id=tried.run_id, number=tried.number)
    return row_values(CallbackAttemptRow, tried.attempt, **key)
