"""Adds users to an organisation."""

from uuid import uuid4

from domain.shared.ids import OrganisationId, UserId
from domain.shared.roles import Role
from ports.database import User, Users


async def add_user(
    users: Users, organisation_id: OrganisationId, email: str, name: str, role: Role | None = None
) -> User:
    """Adds a user and returns them. Without `role`: a sender, or an administrator if there is none.

    Raises `EmailTaken`.
    """
    user = User(
        user_id=UserId(str(uuid4())),
        organisation_id=organisation_id,
        email=email,
        name=name,
        role=role or await _default_role(users, organisation_id),
    )
    await users.add(user)
    return user


async def _default_role(users: Users, organisation_id: OrganisationId) -> Role:
    existing = await users.list(organisation_id)
    return Role.SENDER if any(user.is_administrator for user in existing) else Role.ADMINISTRATOR
