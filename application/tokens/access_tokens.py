"""Access tokens of this service: JWTs signed with ES256 (RFC 9068), valid for one hour.

The API and the MCP tools are one service with the same rules, so both accept a token for either. The token names the
requested resource (RFC 8707) as its audience.
"""

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
from domain.ports.database import ClientCredentials
from domain.ports.keys import AccessKeys, KeyRing
from domain.shared.ids import ClientId, OrganisationId, is_identifier

LIFETIME = 3600
"""Seconds for which an access token is valid."""

KEPT_FOR = timedelta(seconds=LIFETIME + 300)
"""How long a key verifies tokens after it signed its last one; five minutes are added, as clocks differ."""

MAX_QUEUED = 1_000
"""Maximum number of tokens whose verified claims are cached."""

_ALGORITHM = "ES256"
_TYPE = "at+jwt"


API_PATH, TOOLS_PATH = "/api/v1", "/mcp"
"""The paths of the protected resources (RFC 9728)."""


def audiences(base_url: str) -> tuple[str, str]:
    """Returns the audiences of tokens: the API, which is the default, and the MCP tools."""
    return f"{base_url}{API_PATH}", f"{base_url}{TOOLS_PATH}"


def choose_resource(base_url: str, named: Sequence[str]) -> str | None:
    """Returns the resource (RFC 8707) of a token; None if `named` is empty.

    Raises:
        LookupError: the resource does not exist, or several are named.
    """
    addresses = {address.rstrip("/") for address in named}
    ours = {base_url: f"{base_url}{API_PATH}", **{address: address for address in audiences(base_url)}}
    if not addresses:
        return None
    if len(addresses) > 1 or not addresses <= ours.keys():
        raise LookupError
    return ours[addresses.pop()]


class Claims(NamedTuple):
    """The claims of a valid access token."""

    client_id: ClientId
    organisation_id: OrganisationId
    scopes: tuple[str, ...]
    generation: int = 0
    """The generation of the client (`domain.shared.standing`). A token of another issuer has none."""


class AccessTokens:
    """Issues and reads the access tokens of one service."""

    def __init__(self, keys: AccessKeys, base_url: str) -> None:
        self._keys = keys
        self._issuer = base_url
        self._audiences = audiences(base_url)
        self._opened = _LoadedKeys(keys.read())

    def issue(
        self, client: ClientCredentials, scopes: Sequence[str], at: datetime, *, audience: str | None = None
    ) -> str:
        """Returns a token for `client`, valid for `LIFETIME` seconds from `at`. The default audience is the API."""
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
            "generation": client.standing.generation,
        }
        now = self._current()
        header = {"alg": _ALGORITHM, "typ": _TYPE, "kid": now.ring.signing.key_id}
        return jwt.encode(header, claims, now.private, [_ALGORITHM])

    def read(self, token: str, at: datetime) -> Claims:
        """Returns the claims of `token`. Raises `InvalidToken` unless it is valid at `at` and of this service."""
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
        generation = claims.get("generation", 0)  # tokens of the previous version have none
        scopes = tuple(claims["scope"].split())
        return Claims(ClientId(claims["sub"]), OrganisationId(claims["organisation"]), scopes, generation)

    def public_keys(self, at: datetime) -> dict[str, object]:
        """Returns the JSON Web Key Set (RFC 7517) that verifies tokens at `at`: the signing key and former keys."""
        keys = self._current().verifying(at)
        members = {"use": "sig", "alg": _ALGORITHM}
        return {"keys": [{**key.as_dict(private=False), **members, "kid": name} for name, key in keys.items()]}

    def _current(self) -> "_LoadedKeys":
        ring = self._keys.read()
        if ring is not self._opened.ring:
            self._opened = _LoadedKeys(ring)
        return self._opened


class _LoadedKeys:
    """The imported keys of a key ring."""

    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self.private = ECKey.import_key(ring.signing.private)
        self._former = [(key, ECKey.import_key(key.public)) for key in ring.former]
        self._keys = {ring.signing.key_id: self.private, **{key.key_id: opened for key, opened in self._former}}
        self.claims = lru_cache(MAX_QUEUED)(self._claims)

    def verifying(self, at: datetime) -> dict[str, ECKey]:
        """Returns the keys that verify tokens at `at`, by id."""
        former = {key.key_id: opened for key, opened in self._former if at < key.until}
        return {self.ring.signing.key_id: self.private, **former}

    def _claims(self, token: str, key_id: str) -> dict[str, Any]:
        """Verifies the signature of `token` and returns its claims. The caller validates the claims."""
        return jwt.decode(token, self._keys[key_id], [_ALGORITHM]).claims


class UnverifiedToken(NamedTuple):
    """The issuer and header of a token, untrusted until its signature is verified."""

    issuer: str
    key_id: str
    algorithm: str
    type: str


def read_unverified(token: str) -> UnverifiedToken:
    """Returns issuer and header of `token`, unverified. Raises `InvalidToken` if it is not a signed JWT."""
    try:
        signed = jws.extract_compact(token.encode())
        claims: Any = json.loads(signed.payload)
        header: Any = signed.headers()
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        # joserfc raises a plain ValueError for a token that is not three parts of base64.
        raise InvalidToken from error
    if not isinstance(claims, Mapping):
        raise InvalidToken
    return UnverifiedToken(_text(claims.get("iss")), *(_text(header.get(name)) for name in ("kid", "alg", "typ")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
