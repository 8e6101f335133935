"""Authentication of requests by access tokens of this service or of the trusted issuer."""

from collections.abc import Callable
from datetime import UTC, datetime

import structlog

from application.caller import Caller
from application.errors import InvalidToken, Unauthorized
from application.role_rights import scopes_now
from application.services import Services
from application.tokens.access_tokens import AccessTokens, Claims, read_unverified
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.ports.process_pool import run_jobs_for


async def authenticate(
    services: Services, tokens: AccessTokens, authorization: str | None, audit_of: Callable[[Actor], AuditContext]
) -> Caller:
    """Returns the client of the header `authorization`, with its current scopes. It owns the jobs of the request.

    Raises:
        Unauthorized: the header has no Bearer token.
        InvalidToken: the token is invalid, expired or revoked.
        IssuerUnavailable: the keys of the trusted issuer cannot be read.
    """
    scheme, _, token = (authorization or "").partition(" ")
    token, now, trusted = token.strip(), datetime.now(UTC), services.trusted_issuer
    if scheme.lower() != "bearer" or not token:
        raise Unauthorized
    if trusted is not None and read_unverified(token).issuer == trusted.issuer:
        claims = await trusted.read(token, now)
        standing = await services.organisations.find_standing(claims.organisation_id, claims.client_id)
        if not standing.honours(claims.generation):
            raise InvalidToken
    else:
        claims = await _read_own(services, tokens, token, now)
    client_id, organisation_id, scopes, generation = claims
    structlog.contextvars.bind_contextvars(organisation_id=organisation_id, client_id=client_id)
    run_jobs_for(organisation_id, client_id)
    audit = audit_of(Actor(kind=ActorKind.CLIENT, id=client_id))
    return Caller(client_id, organisation_id, audit, frozenset(scopes), generation)


async def _read_own(services: Services, tokens: AccessTokens, token: str, now: datetime) -> Claims:
    """Returns the claims with the scopes that both token and client have. A removed scope ends at once."""
    claims = tokens.read(token, now)
    client = await services.organisations.find_client(claims.client_id)
    if client is None or client.organisation_id != claims.organisation_id:
        raise InvalidToken
    if not client.standing.honours(claims.generation):
        raise InvalidToken
    scopes = scopes_now(client)
    return claims._replace(scopes=tuple(scope for scope in claims.scopes if scope in scopes))
