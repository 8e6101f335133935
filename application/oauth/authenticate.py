"""Authentication of requests by access tokens of this service or of the trusted issuer."""

from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from application.errors import InvalidToken, Unauthorized
from application.oauth.access_tokens import AccessTokens, read_unverified
from application.services import Services
from domain.shared.ids import ClientId, OrganisationId


class Identity(NamedTuple):
    """An authenticated client, its organisation and its current scopes."""

    client_id: ClientId
    organisation_id: OrganisationId
    scopes: frozenset[str]


async def authenticate(services: Services, tokens: AccessTokens, authorization: str | None) -> Identity:
    """Returns the client of the header `authorization`.

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
        if await services.organisations.get(claims.organisation_id) is None:
            raise InvalidToken
        identity = Identity(claims.client_id, claims.organisation_id, frozenset(claims.scopes))
    else:
        identity = await _own(services, tokens, token, now)
    structlog.contextvars.bind_contextvars(organisation_id=identity.organisation_id, client_id=identity.client_id)
    return identity


async def _own(services: Services, tokens: AccessTokens, token: str, now: datetime) -> Identity:
    """Returns the client with the scopes that both it and `token` have, so a removed scope ends at once."""
    claims = tokens.read(token, now)
    client = await services.organisations.find_client(claims.client_id)
    if client is None or client.revoked_at is not None or client.organisation_id != claims.organisation_id:
        raise InvalidToken
    return Identity(client.client_id, client.organisation_id, frozenset(claims.scopes) & frozenset(client.scopes))
