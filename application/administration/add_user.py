"""Adds users to an organisation: the first one at once, all others by an invitation that they accept."""

from dataclasses import dataclass
from uuid import uuid4

from domain.audit.events import ActorKind, AuditContext
from domain.ports.administrative_acts import ActKind, AdministrativeActs, Change
from domain.ports.database import User, Users
from domain.shared.ids import OrganisationId, UserId
from domain.shared.roles import Role


@dataclass(frozen=True, slots=True)
class NewUser:
    """A person to add. Without `role`: a sender, or an administrator if there is none."""

    email: str
    name: str
    role: Role | None = None


async def add_user(
    users: Users, acts: AdministrativeActs, organisation_id: OrganisationId, audit: AuditContext, new: NewUser
) -> User:
    """Invites a person and returns the user, who is no member before they accept.

    The first user of an organisation, whom an operator adds, is a member at once. Raises `EmailTaken`.
    """
    is_operator = audit.actor.kind is ActorKind.SYSTEM
    existing = await users.list(organisation_id) if is_operator or new.role is None else ()
    has_administrator = any(user.is_administrator for user in existing)
    user = User(
        user_id=UserId(str(uuid4())),
        organisation_id=organisation_id,
        email=new.email,
        name=new.name,
        role=new.role or (Role.SENDER if has_administrator else Role.ADMINISTRATOR),
        invited_by=None if is_operator else UserId(audit.actor.id),
        invited_at=audit.at,
        accepted_at=audit.at if is_operator and not existing else None,
    )
    await users.add(user)
    kind = ActKind.USER_INVITED if user.is_pending else ActKind.USER_ADDED
    after = {"name": user.name, "email": user.email, "role": user.role.value}
    await acts.add(organisation_id, audit, Change(kind, user.user_id, after=after))
    return user
