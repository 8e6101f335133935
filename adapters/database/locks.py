"""The rows of one session, and locks: what is written beside an erasure would otherwise outlive it."""

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.shared.ids import OrganisationId, SessionId

Key = tuple[OrganisationId, SessionId]


def of_session(table: Any, key: Key) -> tuple[ColumnElement[bool], ColumnElement[bool]]:  # noqa: ANN401  # tables share no type
    """The conditions for rows of that session in `table`, which has columns `organisation_id` and `session_id`."""
    return col(table.organisation_id) == key[0], col(table.session_id) == key[1]


async def lock_session(rows: AsyncSession, key: Key) -> None:
    """Until the transaction ends."""
    await lock(rows, "/".join(key))


async def lock(rows: AsyncSession, name: str) -> None:
    """Until the transaction ends. SQLite has one writer anyway."""
    if rows.get_bind().dialect.name != "sqlite":
        await rows.exec(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
