"""Access tokens: signed JWTs (ES256) that say which client may do what, for an hour."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from adapters.database.port import ClientCredentials
from api.refusals import Unauthorized
from domain.ids import ClientId, OrganisationId, is_identifier

LIFETIME = 3600
"""Seconds for which an access token is valid."""

_ALGORITHM = "ES256"


class Claims(NamedTuple):
    """What a valid token says."""

    client_id: ClientId
    organisation_id: OrganisationId
    scopes: tuple[str, ...]


class AccessTokens:
    """Issues and reads the access tokens of one service. `private_key` is an EC P-256 key in PEM."""

    def __init__(self, private_key: bytes, base_url: str) -> None:
        self._key = ECKey.import_key(private_key)
        self._issuer = base_url
        self._audience = f"{base_url}/api/v1"

    def issue(self, client: ClientCredentials, scopes: Sequence[str], at: datetime) -> str:
        """A token for `client`, valid from `at` on for `LIFETIME` seconds."""
        issued = int(at.timestamp())
        claims = {
            "iss": self._issuer,
            "aud": self._audience,
            "sub": client.client_id,
            "client_id": client.client_id,
            "organisation": client.organisation_id,
            "scope": " ".join(scopes),
            "iat": issued,
            "exp": issued + LIFETIME,
            "jti": str(uuid4()),
        }
        header = {"alg": _ALGORITHM, "typ": "at+jwt", "kid": self._key.thumbprint()}
        return jwt.encode(header, claims, self._key, [_ALGORITHM])

    def read(self, token: str, at: datetime) -> Claims:
        """What `token` says at that time. Raises `Unauthorized` for every token that we did not issue for ourselves."""
        expected = jwt.JWTClaimsRegistry(
            now=int(at.timestamp()),
            iss={"essential": True, "value": self._issuer},
            aud={"essential": True, "value": self._audience},
            sub={"essential": True},
            exp={"essential": True},
            scope={"essential": True, "allow_blank": True},
            organisation={"essential": True},
        )
        try:
            claims = jwt.decode(token, self._key, [_ALGORITHM]).claims
            expected.validate(claims)
        except (JoseError, ValueError) as error:
            # A token that is not even three parts of base64 makes the library raise plain ValueErrors.
            raise Unauthorized from error
        if not is_identifier(str(claims["sub"])):
            raise Unauthorized
        return Claims(ClientId(claims["sub"]), OrganisationId(claims["organisation"]), tuple(claims["scope"].split()))

    def public_keys(self) -> dict[str, object]:
        """The JSON Web Key Set by which others verify our tokens."""
        key = self._key.as_dict(private=False, use="sig", alg=_ALGORITHM, kid=self._key.thumbprint())
        return {"keys": [key]}
