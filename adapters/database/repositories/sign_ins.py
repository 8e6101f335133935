"""The ways into the app in SQL."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, func, select

from adapters.database.engine import transaction
from adapters.database.records import to_record, to_row
from adapters.database.tables.organisations import OrganisationRow, SignInLinkRow, SignInRow, UserRow
from ports.database import Organisation, User
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
            rows.add(to_row(SignInLinkRow, link))
        return True

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(SignInLinkRow, secret_sha256)
        return to_record(SignInLink, row) if row and row.ends_at > at else None

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        taken = delete(SignInLinkRow).where(col(SignInLinkRow.secret_sha256) == secret_sha256)
        async with transaction(self._engine) as rows:
            row = await rows.get(SignInLinkRow, secret_sha256)
            is_mine = (await rows.exec(taken)).rowcount == 1
        return to_record(SignInLink, row) if row and is_mine and row.ends_at > at else None

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
        async with transaction(self._engine) as rows:
            await rows.exec(delete(SignInRow).where(col(SignInRow.secret_sha256) == secret_sha256))


def _member(user: UserRow, organisation: OrganisationRow) -> Member:
    return Member(to_record(User, user), to_record(Organisation, organisation))
