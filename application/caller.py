"""The caller of a use case: an API client or a user of the app, and the scopes of the token or the user."""

from contextvars import ContextVar
from dataclasses import dataclass

from application.errors import InsufficientScope, Unauthorized
from application.scopes import Scope
from domain.audit.events import AuditContext
from domain.ports.database import Organisation, Organisations
from domain.shared.ids import ClientId, OrganisationId

is_head_request: ContextVar[bool] = ContextVar("is_head_request", default=False)
"""Whether the current request is HEAD, which records no download."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The API client that makes a request, the audit context of its actions, and the scopes of its token.

    In the app, `client_id` is the id of the user. `generation` is that of the token or the sign-in
    (`domain.shared.standing`).
    """

    client_id: ClientId
    organisation_id: OrganisationId
    audit: AuditContext
    scopes: frozenset[str] = frozenset()
    generation: int = 0

    def may(self, *scopes: Scope) -> bool:
        """Returns whether the token has one of `scopes`."""
        return bool(self.scopes & frozenset(scopes))

    def require(self, *scopes: Scope) -> None:
        """Raises `InsufficientScope`, which names the first of `scopes`, unless the token has one of them."""
        if not self.may(*scopes):
            raise InsufficientScope(scopes[0])


async def get_organisation(organisations: Organisations, caller: Caller) -> Organisation:
    """Returns the organisation of the caller. Raises `Unauthorized` if it does not exist."""
    organisation = await organisations.get(caller.organisation_id)
    if organisation is None:
        raise Unauthorized
    return organisation
