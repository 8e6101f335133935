"""The user who sends a session: in the app, or by a program that works with their consent."""

from application.services import SessionServices
from domain.audit.events import ActorKind, AuditContext
from domain.shared.ids import ClientId, UserId


async def find_sending_user(services: SessionServices, audit: AuditContext) -> UserId | None:
    """Returns the user behind the actor of `audit`; None for a client of the organisation's own."""
    if audit.actor.kind is ActorKind.USER:
        return UserId(audit.actor.id)
    if audit.actor.kind is ActorKind.CLIENT:
        return await services.grants.find_user_of(ClientId(audit.actor.id))
    return None
