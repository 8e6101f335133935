"""The rights of each role (Specification 5.6). A right is a scope, or the right to administer the organisation."""

from collections.abc import Mapping

from application.scopes import Scope
from domain.ports.database import ClientCredentials
from domain.shared.roles import Role

ADMINISTER = "administer"
"""The right to manage users, API clients and webhooks. No access token has it."""

_VIEWED = frozenset({Scope.READ_SESSIONS, Scope.READ_TEMPLATES, Scope.READ_VALUES})

RIGHTS: Mapping[Role, frozenset[str]] = {
    Role.ADMINISTRATOR: frozenset({*Scope, ADMINISTER}),
    Role.SENDER: frozenset(Scope) - {Scope.WRITE_ORGANISATION, Scope.DELETE_SESSIONS},
    Role.VIEWER: _VIEWED,
}


def scopes_now(client: ClientCredentials) -> tuple[str, ...]:
    """Returns the scopes of a client; for a connected app, only those that the user who approved it has."""
    if client.approver_role is None:
        return client.scopes
    return tuple(scope for scope in client.scopes if scope in RIGHTS[client.approver_role])
