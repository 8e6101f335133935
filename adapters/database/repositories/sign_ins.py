"""The ways into the app in SQL."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, func, select

from adapters.database.engine import transaction
from adapters.database.repositories.organisations import organisation_of
from adapters.database.repositories.users import user_of
from adapters.database.tables.core import OrganisationRow, UserRow
from adapters.database.tables.sign_ins import SignInLinkRow, SignInRow
from ports.sign_ins import Member, SignIn, SignInLink

_MEMBERS = (
    select(UserRow, OrganisationRow)
    .join(OrganisationRow, col(OrganisationRow.organisation_id) == UserRow.organisation_id)
    .where(col(UserRow.disabled_at).is_(None))
)


class DatabaseSignIns:
    """Implements `SignIns`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

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
            rows.add(
                SignInLinkRow(
                    secret_sha256=link.secret_sha256, email=link.email, goes_to=link.goes_to, ends_at=link.ends_at
                )
            )
        return True

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(SignInLinkRow, secret_sha256)
        return _link(row) if row and row.ends_at > at else None

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        taken = delete(SignInLinkRow).where(col(SignInLinkRow.secret_sha256) == secret_sha256)
        async with transaction(self._engine) as rows:
            row = await rows.get(SignInLinkRow, secret_sha256)
            is_mine = (await rows.exec(taken)).rowcount == 1
        return _link(row) if row and is_mine and row.ends_at > at else None

    async def start(self, sign_in: SignIn) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInRow).where(col(SignInRow.ends_at) <= sign_in.began_at))
            rows.add(
                SignInRow(
                    secret_sha256=sign_in.secret_sha256,
                    user_id=sign_in.user_id,
                    began_at=sign_in.began_at,
                    ends_at=sign_in.ends_at,
                )
            )

    async def find(self, secret_sha256: str, at: datetime) -> Member | None:
        query = _MEMBERS.join(SignInRow, col(SignInRow.user_id) == UserRow.user_id).where(
            SignInRow.secret_sha256 == secret_sha256, col(SignInRow.ends_at) > at
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(query)).one_or_none()
        return _member(*found) if found else None

    async def end(self, secret_sha256: str) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInRow).where(col(SignInRow.secret_sha256) == secret_sha256))


def _link(row: SignInLinkRow) -> SignInLink:
    return SignInLink(row.secret_sha256, row.email, row.goes_to, row.ends_at)


def _member(user: UserRow, organisation: OrganisationRow) -> Member:
    return Member(user_of(user), organisation_of(organisation))
