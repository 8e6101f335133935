"""The caller of a use case: an API client, and the scopes of its token."""

from dataclasses import dataclass

from domain.audit.events import AuditContext
from domain.shared.ids import ClientId, OrganisationId


@dataclass(frozen=True, slots=True)
class Caller:
    """The API client that makes a request, the audit context of its actions, and the scopes of its token."""

    client_id: ClientId
    organisation_id: OrganisationId
    audit: AuditContext
    scopes: frozenset[str] = frozenset()
