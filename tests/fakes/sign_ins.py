"""The ways into the app, in memory."""

from datetime import datetime

from adapters.database.port import Organisation
from adapters.database.sign_in_port import Member, SignIn, SignInLink
from tests.fakes.database import MemoryOrganisations, MemoryUsers


class MemorySignIns:
    """Keeps `SignIns` beside the people and the organisations of a test."""

    def __init__(self, users: MemoryUsers, organisations: MemoryOrganisations) -> None:
        self._users = users
        self._organisations = organisations
        self.links: dict[str, SignInLink] = {}
        self.sign_ins: dict[str, SignIn] = {}

    async def people(self, email: str) -> tuple[Member, ...]:
        found = [
            Member(user, await self._organisations.get(user.organisation_id) or Organisation(user.organisation_id, ""))
            for user in self._users.users.values()
            if user.email == email and user.disabled_at is None
        ]
        return tuple(sorted(found, key=lambda member: (member.organisation.name, member.user.user_id)))

    async def keep_link(self, link: SignInLink, at: datetime, at_most: int) -> bool:
        self.links = {secret: kept for secret, kept in self.links.items() if kept.ends_at > at}
        if sum(kept.email == link.email for kept in self.links.values()) >= at_most:
            return False
        self.links[link.secret_sha256] = link
        return True

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        link = self.links.get(secret_sha256)
        return link if link and link.ends_at > at else None

    async def take_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        link = self.links.pop(secret_sha256, None)
        return link if link and link.ends_at > at else None

    async def begin(self, sign_in: SignIn) -> None:
        self.sign_ins[sign_in.secret_sha256] = sign_in

    async def find(self, secret_sha256: str, at: datetime) -> Member | None:
        sign_in = self.sign_ins.get(secret_sha256)
        if sign_in is None or sign_in.ends_at <= at:
            return None
        found = await self.people(self._users.users[sign_in.user_id].email)
        return next((member for member in found if member.user.user_id == sign_in.user_id), None)

    async def end(self, secret_sha256: str) -> None:
        self.sign_ins.pop(secret_sha256, None)
