"""The users of organisations and their sign-ins in SQL."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import col, delete, func, literal, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from adapters.database.engine import lock, transaction, writing_rows
from adapters.database.repositories.standings import IS_PENDING
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
from domain.ports.database import EmailTaken, LastAdministrator, Organisation, User
from domain.ports.sign_ins import KNOWN_BROWSER, LinkLimits, Member, SignIn, SignInLink
from domain.shared.ids import OrganisationId, UserId
from domain.shared.roles import Role
from domain.shared.standing import Standing


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

    async def find(self, user_id: UserId) -> User | None:
        found = await self._list_users(select(UserRow).where(UserRow.user_id == user_id))
        return found[0] if found else None

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
        await self._end(user_id, datetime.now(UTC), changed, keeps_administrator=keeps_administrator)

    async def disable(self, user_id: UserId, at: datetime, *, keeps_administrator: bool = False) -> None:
        since = func.coalesce(UserRow.disabled_at, literal(at, UtcTime()))
        disabled = update(UserRow).where(col(UserRow.user_id) == user_id).values(disabled_at=since)
        await self._end(user_id, at, disabled, keeps_administrator=keeps_administrator)

    async def _end(self, user_id: UserId, at: datetime, change: Executable, *, keeps_administrator: bool) -> None:
        """Changes the user and ends all that came from them, in one transaction. Raises `LastAdministrator`."""
        granted = col(ClientRow.client_id).in_(select(GrantRow.client_id).where(GrantRow.user_id == user_id))
        raised = col(UserRow.generation) + 1
        async with writing_rows(self._engine) as rows:
            if keeps_administrator:
                await _check_administrators(rows, user_id)
            for statement in (
                change,
                update(UserRow).where(col(UserRow.user_id) == user_id).values(generation=raised),
                update(ClientRow).where(granted, col(ClientRow.revoked_at).is_(None)).values(revoked_at=at),
                delete(UserRow).where(col(UserRow.invited_by) == user_id, IS_PENDING),
                delete(SignInRow).where(col(SignInRow.user_id) == user_id),
            ):
                await rows.exec(statement)  # type: ignore[call-overload]  # any statement

    async def accept(self, user_id: UserId, at: datetime) -> bool:
        pending = update(UserRow).where(col(UserRow.user_id) == user_id, IS_PENDING)
        return bool(await self._write(pending.values(accepted_at=at)))

    async def withdraw(self, user_id: UserId) -> bool:
        return bool(await self._write(delete(UserRow).where(col(UserRow.user_id) == user_id, IS_PENDING)))

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
        ~IS_PENDING,
    )
    if (await rows.exec(query)).all() == [user_id]:
        raise LastAdministrator


_INVITER = aliased(UserRow)

_MEMBERS = (
    select(UserRow, OrganisationRow, _INVITER.name)
    .join(OrganisationRow, col(OrganisationRow.organisation_id) == UserRow.organisation_id)
    .outerjoin(_INVITER, col(_INVITER.user_id) == UserRow.invited_by)
    .where(col(UserRow.disabled_at).is_(None), col(OrganisationRow.closed_at).is_(None))
)


class DatabaseSignIns(Repository):
    """Implements `SignIns`."""

    async def list_members(self, email: str) -> tuple[Member, ...]:
        query = _MEMBERS.where(UserRow.email == email).order_by(OrganisationRow.name, UserRow.user_id)
        async with transaction(self._engine) as rows:
            return tuple(_member(*found) for found in await rows.exec(query))

    async def store_link(self, link: SignInLink, at: datetime, limits: LinkLimits) -> bool:
        of_address = select(func.count()).where(SignInLinkRow.email == link.email)
        from_here = of_address.where(SignInLinkRow.requested_from == link.requested_from)
        from_strangers = of_address.where(~col(SignInLinkRow.requested_from).startswith(KNOWN_BROWSER))
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInLinkRow).where(col(SignInLinkRow.ends_at) <= at))
            if (await rows.exec(from_here)).one() >= limits.of_place:
                return False
            if not link.is_of_known_browser and (await rows.exec(from_strangers)).one() >= limits.of_strangers:
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
            user = update(UserRow).where(col(UserRow.user_id) == sign_in.user_id)
            await rows.exec(user.values(signed_in_at=sign_in.began_at))

    async def find(self, secret_sha256: str, at: datetime) -> tuple[Member, SignIn] | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(SignInRow, secret_sha256)
            if row is None or row.ends_at <= at:
                return None
            found = (await rows.exec(_MEMBERS.where(UserRow.user_id == row.user_id))).one_or_none()
        if found is None:
            return None
        member, sign_in = _member(*found), to_record(SignIn, row)
        return (member, sign_in) if member.standing.honours(sign_in.generation) else None

    async def list(self, user_id: UserId, at: datetime) -> tuple[SignIn, ...]:
        query = select(SignInRow).where(SignInRow.user_id == user_id, col(SignInRow.ends_at) > at)
        return await self._list(SignIn, query.order_by(col(SignInRow.began_at).desc()))

    async def end(self, secret_sha256: str, user_id: UserId | None = None) -> None:
        ended = delete(SignInRow).where(col(SignInRow.secret_sha256) == secret_sha256)
        await self._write(ended if user_id is None else ended.where(col(SignInRow.user_id) == user_id))

    async def end_all(self, user_id: UserId, but: str = "") -> None:
        others = (col(SignInRow.user_id) == user_id, col(SignInRow.secret_sha256) != but)
        await self._write(delete(SignInRow).where(*others))


def _member(user: UserRow, organisation: OrganisationRow, inviter: str | None) -> Member:
    person = to_user(user)
    standing = Standing(user.generation, is_ended=person.is_pending)
    return Member(person, to_record(Organisation, organisation), standing, inviter)


def to_user(row: UserRow) -> User:
    """Returns the record of a user."""
    return to_record(User, row, role=Role(row.role))
