"""The users of organisations in SQL."""

from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, func, literal, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import transaction
from adapters.database.records import to_record, to_row
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.organisations import ClientRow, GrantRow, UserRow
from domain.shared.ids import OrganisationId, UserId
from ports.database import EmailTaken, User


class DatabaseUsers:
    """Implements `Users`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, user: User) -> None:
        try:
            async with transaction(self._engine) as rows:
                rows.add(to_row(UserRow, user))
        except IntegrityError as error:
            if all(other.organisation_id != user.organisation_id for other in await self.find_by_email(user.email)):
                raise
            raise EmailTaken from error

    async def find_by_email(self, email: str) -> tuple[User, ...]:
        query = select(UserRow).where(UserRow.email == email).order_by(UserRow.organisation_id)
        async with transaction(self._engine) as rows:
            return tuple(to_record(User, row) for row in await rows.exec(query))

    async def list(self, organisation_id: OrganisationId | None) -> tuple[User, ...]:
        query = select(UserRow).order_by(UserRow.email, UserRow.organisation_id)
        if organisation_id is not None:
            query = query.where(UserRow.organisation_id == organisation_id)
        async with transaction(self._engine) as rows:
            return tuple(to_record(User, row) for row in await rows.exec(query))

    async def disable(self, user_id: UserId, at: datetime) -> None:
        since = func.coalesce(UserRow.disabled_at, literal(at, UtcTime()))
        async with transaction(self._engine) as rows:
            await rows.exec(update(UserRow).where(col(UserRow.user_id) == user_id).values(disabled_at=since))
            await _end_grants(rows, user_id, at)

    async def enable(self, user_id: UserId) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(update(UserRow).where(col(UserRow.user_id) == user_id).values(disabled_at=None))


async def _end_grants(rows: AsyncSession, user_id: UserId, at: datetime) -> None:
    """Revokes the OAuth grants that the user approved."""
    theirs = col(ClientRow.client_id).in_(select(GrantRow.client_id).where(GrantRow.user_id == user_id))
    await rows.exec(update(ClientRow).where(theirs, col(ClientRow.revoked_at).is_(None)).values(revoked_at=at))
