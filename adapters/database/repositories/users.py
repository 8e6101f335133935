"""The users of organisations and their sign-ins in SQL."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, func, literal, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from adapters.database.engine import lock, transaction, writing_rows
from adapters.database.repository import Repository, to_record, to_row
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.organisations import (
    ClientRow,
    GrantRow,
    OrganisationRow,
    SignInLinkRow,
    SignInRow,
    UserRow,
)
from domain.shared.ids import OrganisationId, UserId
from domain.shared.roles import Role
from ports.database import EmailTaken, LastAdministrator, Organisation, User
from ports.sign_ins import Member, SignIn, SignInLink


class DatabaseUsers(Repository):
    """Implements `Users`."""

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
        return await self._list_users(query)

    async def list(self, organisation_id: OrganisationId | None) -> tuple[User, ...]:
        query = select(UserRow).order_by(UserRow.email, UserRow.organisation_id)
        if organisation_id is not None:
            query = query.where(UserRow.organisation_id == organisation_id)
        return await self._list_users(query)

    async def _list_users(self, query: SelectOfScalar[UserRow]) -> tuple[User, ...]:
        async with transaction(self._engine) as rows:
            return tuple(to_user(row) for row in await rows.exec(query))

    async def rename(self, user_id: UserId, name: str) -> None:
        await self._write(update(UserRow).where(col(UserRow.user_id) == user_id).values(name=name))

    async def change_role(self, user_id: UserId, role: Role, *, keeps_administrator: bool = False) -> None:
        changed = update(UserRow).where(col(UserRow.user_id) == user_id).values(role=role.value)
        keeps_administrator = keeps_administrator and role is not Role.ADMINISTRATOR
        await self._change(user_id, changed, keeps_administrator=keeps_administrator)

    async def disable(self, user_id: UserId, at: datetime, *, keeps_administrator: bool = False) -> None:
        since = func.coalesce(UserRow.disabled_at, literal(at, UtcTime()))
        granted = col(ClientRow.client_id).in_(select(GrantRow.client_id).where(GrantRow.user_id == user_id))
        await self._change(
            user_id,
            update(UserRow).where(col(UserRow.user_id) == user_id).values(disabled_at=since),
            update(ClientRow).where(granted, col(ClientRow.revoked_at).is_(None)).values(revoked_at=at),
            keeps_administrator=keeps_administrator,
        )

    async def _change(self, user_id: UserId, *statements: Executable, keeps_administrator: bool) -> None:
        """Executes the statements in one transaction. Raises `LastAdministrator`."""
        async with writing_rows(self._engine) as rows:
            if keeps_administrator:
                await _check_administrators(rows, user_id)
            for statement in statements:
                await rows.exec(statement)  # type: ignore[call-overload]  # any statement

    async def choose_notifications(self, user_id: UserId, kinds: Sequence[str]) -> None:
        await self._write(update(UserRow).where(col(UserRow.user_id) == user_id).values(notifications=[*kinds]))

    async def enable(self, user_id: UserId) -> None:
        await self._write(update(UserRow).where(col(UserRow.user_id) == user_id).values(disabled_at=None))


async def _check_administrators(rows: AsyncSession, user_id: UserId) -> None:
    """Raises `LastAdministrator` if the user is the only administrator of their organisation."""
    user = await rows.get(UserRow, user_id)
    if user is None:
        return
    # Of two administrators who disable each other, one is refused.
    await lock(await rows.connection(), f"administrators/{user.organisation_id}")
    query = select(UserRow.user_id).where(
        UserRow.organisation_id == user.organisation_id,
        UserRow.role == Role.ADMINISTRATOR.value,
        col(UserRow.disabled_at).is_(None),
    )
    if (await rows.exec(query)).all() == [user_id]:
        raise LastAdministrator


_MEMBERS = (
    select(UserRow, OrganisationRow)
    .join(OrganisationRow, col(OrganisationRow.organisation_id) == UserRow.organisation_id)
    .where(col(UserRow.disabled_at).is_(None))
)


class DatabaseSignIns(Repository):
    """Implements `SignIns`."""

    async def list_members(self, email: str) -> tuple[Member, ...]:
        query = _MEMBERS.where(UserRow.email == email).order_by(OrganisationRow.name, UserRow.user_id)
        async with transaction(self._engine) as rows:
            return tuple(_member(user, organisation) for user, organisation in await rows.exec(query))

    async def store_link(self, link: SignInLink, at: datetime, at_most: int) -> bool:
        waiting = select(func.count()).where(SignInLinkRow.email == link.email)
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInLinkRow).where(col(SignInLinkRow.ends_at) <= at))
            if (await rows.exec(waiting)).one() >= at_most:
                return False
            rows.add(to_row(SignInLinkRow, link))
        return True

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        link = await self._get(SignInLink, SignInLinkRow, secret_sha256)
        return link if link and link.ends_at > at else None

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        link = await self.find_link(secret_sha256, at)
        used = await self._write(delete(SignInLinkRow).where(col(SignInLinkRow.secret_sha256) == secret_sha256))
        return link if used else None

    async def start(self, sign_in: SignIn) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInRow).where(col(SignInRow.ends_at) <= sign_in.began_at))
            rows.add(to_row(SignInRow, sign_in))

    async def find(self, secret_sha256: str, at: datetime) -> Member | None:
        query = _MEMBERS.join(SignInRow, col(SignInRow.user_id) == UserRow.user_id).where(
            SignInRow.secret_sha256 == secret_sha256, col(SignInRow.ends_at) > at
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(query)).one_or_none()
        return _member(*found) if found else None

    async def end(self, secret_sha256: str) -> None:
        await self._write(delete(SignInRow).where(col(SignInRow.secret_sha256) == secret_sha256))


def _member(user: UserRow, organisation: OrganisationRow) -> Member:
    return Member(to_user(user), to_record(Organisation, organisation))


def to_user(row: UserRow) -> User:
    """Returns the record of a user."""
    return to_record(User, row, role=Role(row.role))
