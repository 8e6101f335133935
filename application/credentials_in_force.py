"""Checks that the client or user from whom a credential comes may still act."""

from application.role_rights import scopes_now
from application.scopes import Scope
from application.services import SessionServices
from domain.shared.ids import ClientId, OrganisationId, is_identifier


async def is_in_force(
    services: SessionServices, organisation_id: OrganisationId, origin: ClientId, generation: int, scope: Scope
) -> bool:
    """Returns whether nothing ended a credential of `generation`, and its client still has `scope`.

    `origin` is a client, also one of the external issuer, or a user (`application.caller.Caller`).
    """
    client = await services.organisations.find_client(origin) if is_identifier(origin) else None
    if client is None:
        return (await services.organisations.find_standing(organisation_id, origin)).honours(generation)
    is_own = client.organisation_id == organisation_id
    return is_own and client.standing.honours(generation) and scope in scopes_now(client)
