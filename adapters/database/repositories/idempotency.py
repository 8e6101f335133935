"""Requests with an Idempotency-Key and their responses, in SQL."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Dialect, Row, bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningInsert
from sqlmodel import col, delete, update

from adapters.database.engine import Key, insert_into, lock_session, of_session, writing
from adapters.database.repository import Repository, find_row, table_of
from adapters.database.tables.sessions import IdempotencyKeyRow, TombstoneRow
from domain.ports.idempotency import Claim, ClaimState
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.limits import CLAIM_LIFETIME, KEY_LIFETIME
from domain.shared.object_names import digest

ERASED = ""
"""Replaces the response about a permanently deleted session."""

_DELETE_OLD = delete(IdempotencyKeyRow).where(col(IdempotencyKeyRow.since) <= bindparam("since"))


@cache
def _addition(dialect: Dialect) -> ReturningInsert[str]:
    """Builds the statement that adds a key. It returns a row if the key is new."""
    table = table_of(IdempotencyKeyRow)
    return insert_into(table, dialect).on_conflict_do_nothing().returning(table.c.key)


class DatabaseIdempotencyKeys(Repository):
    """Implements `IdempotencyKeys`."""

    async def claim(self, organisation_id: OrganisationId, key: str, request_sha256: str, at: datetime) -> Claim:
        values = {"organisation_id": organisation_id, "key": key, "request_sha256": request_sha256}
        mine = (col(IdempotencyKeyRow.organisation_id) == organisation_id, col(IdempotencyKeyRow.key) == key)
        async with writing(self._engine) as connection:
            # The write comes first: it takes SQLite's lock, so that later reads in the transaction are current.
            await connection.execute(_DELETE_OLD, {"since": at - KEY_LIFETIME})
            erased = await find_row(connection, IdempotencyKeyRow, organisation_id, digest(key.encode()))
            if erased is not None and erased.answer == ERASED:
                return _claim(erased, request_sha256, at)
            added = await connection.execute(_addition(self._engine.dialect), {**values, "since": at, "tried_at": at})
            if added.first() is not None:
                return Claim(ClaimState.FIRST, at)
            # Two requests with the same key would otherwise both read that its claim is old, and both execute it.
            query = select(*table_of(IdempotencyKeyRow).c).where(*mine).with_for_update()
            found = (await connection.execute(query)).first()
            if found is not None:
                claim = _claim(found, request_sha256, at)
                if claim.state is ClaimState.AGAIN:
                    await connection.execute(update(IdempotencyKeyRow).where(*mine).values(tried_at=at))
                return claim
        return await self.claim(organisation_id, key, request_sha256, at)  # it was released in between

    async def store_answer(
        self, organisation_id: OrganisationId, key: str, session_id: SessionId | None, answer: str
    ) -> None:
        keep = update(IdempotencyKeyRow).where(*_unanswered(organisation_id, key))
        keep = keep.values(session_id=session_id, answer=answer)
        if session_id is None:
            await self._write(keep)
            return
        async with writing(self._engine) as connection:
            await lock_session(connection, (organisation_id, session_id))
            await connection.execute(keep)
            if await find_row(connection, TombstoneRow, organisation_id, session_id) is not None:
                await erase_answers(connection, (organisation_id, session_id))

    async def renew(self, organisation_id: OrganisationId, key: str, tried_at: datetime, at: datetime) -> bool:
        own = _unanswered(organisation_id, key, tried_at)
        return bool(await self._write(update(IdempotencyKeyRow).where(*own).values(tried_at=at)))

    async def release(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        own = _unanswered(organisation_id, key, tried_at)
        await self._write(update(IdempotencyKeyRow).where(*own).values(tried_at=None))

    async def discard(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        await self._write(delete(IdempotencyKeyRow).where(*_unanswered(organisation_id, key, tried_at)))


async def erase_answers(connection: AsyncConnection, session: Key) -> None:
    """Erases the responses about a permanently deleted session. Their keys stay in use.

    Clients chose the keys, so only their hashes are kept.
    """
    keys = select(table_of(IdempotencyKeyRow).c.key).where(
        *of_session(IdempotencyKeyRow, session), col(IdempotencyKeyRow.answer).is_distinct_from(ERASED)
    )
    for key in (await connection.execute(keys)).scalars().all():
        mine = (col(IdempotencyKeyRow.organisation_id) == session[0], col(IdempotencyKeyRow.key) == key)
        erased = {"answer": ERASED, "key": digest(key.encode())}
        await connection.execute(update(IdempotencyKeyRow).where(*mine).values(erased))


def _unanswered(
    organisation_id: OrganisationId, key: str, tried_at: datetime | None = None
) -> tuple[ColumnElement[bool], ...]:
    row = IdempotencyKeyRow
    mine = (col(row.organisation_id) == organisation_id, col(row.key) == key, col(row.answer).is_(None))
    return mine if tried_at is None else (*mine, col(row.tried_at) == tried_at)


def _claim(row: Row[Any], request_sha256: str, at: datetime) -> Claim:
    if row.request_sha256 != request_sha256:
        return Claim(ClaimState.OTHER_REQUEST, row.since)
    if row.answer is not None:
        return Claim(ClaimState.ANSWERED, row.since, row.answer) if row.answer else Claim(ClaimState.ERASED, row.since)
    under_way = row.tried_at is not None and row.tried_at > at - CLAIM_LIFETIME
    return Claim(ClaimState.UNDER_WAY if under_way else ClaimState.AGAIN, row.since)
