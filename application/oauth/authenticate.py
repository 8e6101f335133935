"""Who makes a request: a client of ours, or of the outside issuer that the operator trusts."""

from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from application.errors import InvalidToken, Unauthorized
from application.oauth.access_tokens import AccessTokens, read_unverified
from application.services import Services
from domain.shared.ids import ClientId, OrganisationId


class Identity(NamedTuple):
    """A client, the organisation that it acts for, and what it may do now."""

    client_id: ClientId
    organisation_id: OrganisationId
    scopes: frozenset[str]


async def authenticate(services: Services, tokens: AccessTokens, authorization: str | None) -> Identity:
    """Whoever presents `authorization`, the content of the header.

    Raises:
        Unauthorized: there is no token.
        InvalidToken: there is one that is not valid, or not now.
        IssuerUnavailable: it is a token of the outside issuer, whose keys cannot be had.
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
    """One of our clients, with the scopes that token and client both have: what was taken away counts at once."""
    claims = tokens.read(token, now)
    client = await services.organisations.find_client(claims.client_id)
    if client is None or client.revoked_at is not None or client.organisation_id != claims.organisation_id:
        raise InvalidToken
    return Identity(client.client_id, client.organisation_id, frozenset(claims.scopes) & frozenset(client.scopes))
