"""One writer at a time, for example of a session: what is written beside an erasure would otherwise outlive it."""

from sqlmodel import func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.ids import OrganisationId, SessionId

Key = tuple[OrganisationId, SessionId]


async def lock_session(rows: AsyncSession, key: Key) -> None:
    """Until the transaction ends."""
    await lock(rows, "/".join(key))


async def lock(rows: AsyncSession, name: str) -> None:
    """Until the transaction ends. SQLite has one writer anyway."""
    if rows.get_bind().dialect.name != "sqlite":
        await rows.exec(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
