"""Access tokens of our own: signed JWTs (ES256, RFC 9068) that say which client may do what, for an hour."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from application.errors import InvalidToken
from application.oauth import resources
from domain.shared.ids import ClientId, OrganisationId, is_identifier
from ports.database import ClientCredentials
from ports.keys import AccessKeys, KeyRing

LIFETIME = 3600
"""Seconds for which an access token is valid."""

KEPT_FOR = timedelta(seconds=LIFETIME + 300)
"""How long a key verifies after it has signed its last token; a little longer, as clocks differ."""

MAX_QUEUED = 1_000
"""Tokens whose signature is not checked again at each request."""

_ALGORITHM = "ES256"
_TYPE = "at+jwt"


class Claims(NamedTuple):
    """What a valid token says."""

    client_id: ClientId
    organisation_id: OrganisationId
    scopes: tuple[str, ...]


class AccessTokens:
    """Issues and reads the access tokens of one service."""

    def __init__(self, keys: AccessKeys, base_url: str) -> None:
        self._keys = keys
        self._issuer = base_url
        self._audiences = resources.audiences(base_url)
        self._opened = _LoadedKeys(keys.read())

    def issue(
        self, client: ClientCredentials, scopes: Sequence[str], at: datetime, *, audience: str | None = None
    ) -> str:
        """A token for `client`, valid from `at` on for `LIFETIME` seconds; for the API unless for another audience."""
        issued = int(at.timestamp())
        claims = {
            "iss": self._issuer,
            "aud": audience or self._audiences[0],
            "sub": client.client_id,
            "client_id": client.client_id,
            "organisation": client.organisation_id,
            "scope": " ".join(scopes),
            "iat": issued,
            "exp": issued + LIFETIME,
            "jti": str(uuid4()),
        }
        now = self._current()
        header = {"alg": _ALGORITHM, "typ": _TYPE, "kid": now.ring.signing.key_id}
        return jwt.encode(header, claims, now.private, [_ALGORITHM])

    def read(self, token: str, at: datetime) -> Claims:
        """What `token` says at that time. Raises `InvalidToken` for every token that we did not issue for ourselves."""
        expected = jwt.JWTClaimsRegistry(
            now=int(at.timestamp()),
            iss={"essential": True, "value": self._issuer},
            aud={"essential": True, "values": list(self._audiences)},
            sub={"essential": True},
            exp={"essential": True},
            scope={"essential": True, "allow_blank": True},
            organisation={"essential": True},
        )
        opened, key_id = self._current(), read_unverified(token).key_id
        if key_id not in opened.verifying(at):
            raise InvalidToken
        try:
            claims = opened.claims(token, key_id)
            expected.validate(claims)
        except (JoseError, ValueError) as error:
            raise InvalidToken from error
        if not is_identifier(str(claims["sub"])):
            raise InvalidToken
        return Claims(ClientId(claims["sub"]), OrganisationId(claims["organisation"]), tuple(claims["scope"].split()))

    def public_keys(self, at: datetime) -> dict[str, object]:
        """The JSON Web Key Set by which others verify our tokens: of the key that signs, and of those before it."""
        keys = self._current().verifying(at)
        members = {"use": "sig", "alg": _ALGORITHM}
        return {"keys": [{**key.as_dict(private=False), **members, "kid": name} for name, key in keys.items()]}

    def _current(self) -> "_LoadedKeys":
        ring = self._keys.read()
        if ring is not self._opened.ring:
            self._opened = _LoadedKeys(ring)
        return self._opened


class _LoadedKeys:
    """A key ring, made ready once for many tokens."""

    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self.private = ECKey.import_key(ring.signing.private)
        self._former = [(key, ECKey.import_key(key.public)) for key in ring.former]
        self._keys = {ring.signing.key_id: self.private, **{key.key_id: opened for key, opened in self._former}}
        self.claims = lru_cache(MAX_QUEUED)(self._claims)

    def verifying(self, at: datetime) -> dict[str, ECKey]:
        """The keys that count at that time, by their ids."""
        former = {key.key_id: opened for key, opened in self._former if at < key.until}
        return {self.ring.signing.key_id: self.private, **former}

    def _claims(self, token: str, key_id: str) -> dict[str, Any]:
        """What `token` says, once its signature was checked. Whether that holds now is for the caller to check."""
        return jwt.decode(token, self._keys[key_id], [_ALGORITHM]).claims


class UnverifiedToken(NamedTuple):
    """What a token says of itself, to be believed only after its signature was checked with the right key."""

    issuer: str
    key_id: str
    algorithm: str
    type: str


def read_unverified(token: str) -> UnverifiedToken:
    """Who `token` says has signed it. Raises `InvalidToken` for what is no signed JWT at all."""
    try:
        signed = jws.extract_compact(token.encode())
        claims: Any = json.loads(signed.payload)
        header: Any = signed.headers()
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        # A token that is not even three parts of base64 makes the library raise plain ValueErrors.
        raise InvalidToken from error
    if not isinstance(claims, Mapping):
        raise InvalidToken
    return UnverifiedToken(_text(claims.get("iss")), *(_text(header.get(name)) for name in ("kid", "alg", "typ")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
