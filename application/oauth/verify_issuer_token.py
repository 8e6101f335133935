"""Tokens that an external OpenID issuer signed: access tokens of programs, and ID tokens of users."""

from collections.abc import Set
from datetime import datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError

from application.errors import InvalidToken
from application.oauth.access_tokens import read_unverified
from ports.openid import IssuerKeys

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
