"""Tokens that an external OpenID issuer signed: access tokens of programs (decision 4), and ID tokens of users."""

import unicodedata
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError

from application.errors import InvalidToken
from application.tokens.access_tokens import Claims, read_unverified
from domain.ports.openid import IssuerKeys
from domain.shared.ids import ClientId, OrganisationId, is_identifier

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""The accepted algorithms, all with public keys: `none` proves nothing, and an HMAC would use the public key as a
secret."""

LEEWAY = 30
"""Accepted clock difference in seconds."""


async def read_claims(
    token: str, keys: IssuerKeys, at: datetime, types: Set[str], **expected: jwt.ClaimsOption
) -> dict[str, Any]:
    """Returns the claims of `token`, signed by the issuer and valid at `at`.

    `types` are the accepted media types of the header, `expected` the options of further claims (joserfc).

    Raises:
        InvalidToken: type, signature, time or an expected claim is wrong, or a claim is missing.
        IssuerUnavailable: the keys of the issuer cannot be read.
    """
    unverified = read_unverified(token)
    if unverified.algorithm not in _ALGORITHMS or unverified.type.lower() not in types:
        raise InvalidToken
    key = await keys.find(unverified.key_id or None)
    if key is None or key.alg not in {None, unverified.algorithm}:
        raise InvalidToken
    options: dict[str, jwt.ClaimsOption] = {"exp": {"essential": True}, **expected}
    registry = jwt.JWTClaimsRegistry(now=int(at.timestamp()), leeway=LEEWAY, **options)
    try:
        claims = jwt.decode(token, key, _ALGORITHMS).claims
        registry.validate(claims)
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise InvalidToken from error
    return claims


_TYPES = {"", "jwt", "at+jwt", "application/at+jwt"}
_MAX_SUBJECT = 255  # OpenID Connect Core, section 2


@dataclass(frozen=True, slots=True)
class TrustedIssuer:
    """An external issuer of accepted tokens, their audience, and the claims for organisation and scopes."""

    issuer: str
    audience: str
    organisation_claim: str
    scope_claim: str
    keys: IssuerKeys

    async def read(self, token: str, at: datetime) -> Claims:
        """Returns the claims of `token`, validated at `at`. The caller checks that the organisation exists.

        Raises:
            InvalidToken: signature, issuer, audience or time is wrong, or a claim is missing.
            IssuerUnavailable: the keys of the issuer cannot be read.
        """
        claims = await read_claims(
            token,
            self.keys,
            at,
            _TYPES,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self.audience},
        )
        return Claims(self._client(claims), self._organisation(claims), self._scopes(claims))

    def _client(self, claims: dict[str, Any]) -> ClientId:
        """Returns `issuer|subject`, which no client of this service can have as its id."""
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT:
            raise InvalidToken
        if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in subject):
            raise InvalidToken
        return ClientId(f"{self.issuer}|{subject}")

    def _organisation(self, claims: dict[str, Any]) -> OrganisationId:
        organisation = claims.get(self.organisation_claim)
        if not isinstance(organisation, str) or not is_identifier(organisation):
            raise InvalidToken
        return OrganisationId(organisation)

    def _scopes(self, claims: dict[str, Any]) -> tuple[str, ...]:
        """Returns the scopes of a space-separated string (RFC 8693) or a list of strings."""
        scopes = claims.get(self.scope_claim, "")
        if isinstance(scopes, str):
            return tuple(scopes.split())
        return tuple(scope for scope in scopes if isinstance(scope, str)) if isinstance(scopes, list) else ()
