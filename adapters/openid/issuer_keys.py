"""Metadata and public keys of an OpenID issuer: discovered, cached, and fetched again when a key is missing."""

import asyncio
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from adapters.openid.bounded_http import TOTAL_SECONDS, InvalidResponse, request_json
from domain.ports.openid import IssuerKey, IssuerUnavailable

log = structlog.get_logger(__name__)

FRESH = 600.0
"""Seconds for which metadata and keys are used without another fetch."""

STALE = 3_600.0
"""Seconds for which cached keys are used while the issuer does not respond. A key withdrawn meanwhile stays valid."""

PAUSE = 30.0
"""Minimum seconds between two fetches, so that tokens with invented key ids cause no load on the issuer."""

_MIN_RSA = 2048  # bits


class DiscoveredIssuer(NamedTuple):
    """The metadata of an issuer, and its public keys by key id. If there is one key only, None maps to it too."""

    metadata: Mapping[str, Any]
    keys: Mapping[str | None, IssuerKey]


async def discover(issuer: str, http: httpx.AsyncClient) -> DiscoveredIssuer:
    """Fetches metadata and keys of `issuer` (the `iss` claim of its tokens). Raises `InvalidResponse`."""
    try:
        async with asyncio.timeout(TOTAL_SECONDS):
            metadata = await _get(http, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if metadata.get("issuer") != issuer:
                raise InvalidResponse("the metadata name another issuer")
            found = (await _get(http, endpoint_of(issuer, metadata, "jwks_uri"))).get("keys")
    except TimeoutError as error:
        raise InvalidResponse(f"the issuer does not answer within {TOTAL_SECONDS:g} s") from error
    if not isinstance(found, list):
        raise InvalidResponse("the issuer's response holds no keys")
    keys = [key for key in map(_read, found) if key is not None]
    only: dict[str | None, IssuerKey] = {None: keys[0]} if len(keys) == 1 else {}
    return DiscoveredIssuer(metadata, only | {key.kid: key for key in keys if key.kid})


def endpoint_of(issuer: str, metadata: Mapping[str, Any], name: str) -> str:
    """Returns the address `name` in `metadata`. Raises `InvalidResponse` unless its scheme is https or the issuer's."""
    address = metadata.get(name)
    try:
        if isinstance(address, str) and httpx.URL(address).host:
            parts = urlsplit(address)
            if parts.scheme in {"https", urlsplit(issuer).scheme} and not parts.fragment:
                return address
    except (ValueError, httpx.InvalidURL):
        # An address that cannot be parsed is refused like one that is missing.
        pass
    raise InvalidResponse(f"the issuer has no {name}, or none that is as safe as its own address")


async def _get(http: httpx.AsyncClient, address: str) -> Mapping[str, Any]:
    response = await request_json(http, http.build_request("GET", address))
    if response.status != httpx.codes.OK:
        raise InvalidResponse(f"{address} answers {response.status}")
    return response.content


class _Known(NamedTuple):
    """A discovered issuer, and the time of the discovery by the clock."""

    issuer: DiscoveredIssuer
    at: float


class CachedIssuer:
    """Implements `IssuerKeys` for `issuer` (the `iss` claim of its tokens). Caches its metadata and keys."""

    def __init__(self, issuer: str, http: httpx.AsyncClient, clock: Callable[[], float] = monotonic) -> None:
        self._issuer = issuer
        self._http = http
        self._clock = clock
        self._known = _Known(DiscoveredIssuer({}, {}), float("-inf"))
        self._asked_at = float("-inf")
        # Concurrent callers share one request to the issuer.
        self._asking = asyncio.Lock()

    async def find(self, key_id: str | None) -> IssuerKey | None:
        if self._age() > FRESH or key_id not in self._known.issuer.keys:
            await self._refresh(STALE)
        if self._age() > STALE:
            raise IssuerUnavailable(f"{self._issuer} does not answer with its keys")
        return self._known.issuer.keys.get(key_id)

    async def read_metadata(self) -> Mapping[str, Any]:
        """Returns metadata that is not older than `FRESH`. Raises `IssuerUnavailable`."""
        if self._age() > FRESH:
            await self._refresh(FRESH)
        if self._age() > FRESH:
            raise IssuerUnavailable(f"{self._issuer} does not answer with its metadata")
        return self._known.issuer.metadata

    def _age(self) -> float:
        return self._clock() - self._known.at

    async def _refresh(self, usable: float) -> None:
        """Fetches metadata and keys, unless the last attempt is less than `PAUSE` seconds ago.

        While another caller fetches them, a caller whose cache is at most `usable` seconds old does not wait.
        """
        if self._asking.locked() and self._age() <= usable:
            return
        async with self._asking:
            if self._clock() - self._asked_at < PAUSE:
                return
            self._asked_at = self._clock()
            try:
                self._known = _Known(await discover(self._issuer, self._http), self._clock())
            except InvalidResponse as error:
                log.warning("an OpenID issuer cannot be read", issuer=self._issuer, cause=str(error))


def _read(member: object) -> IssuerKey | None:
    """Returns the signature key in a JSON Web Key; None for other keys, such as shared secrets (`oct`)."""
    if not isinstance(member, dict) or member.get("use", "sig") != "sig":
        return None
    public = {name: value for name, value in member.items() if name in {"kty", "n", "e", "crv", "x", "y", "alg", "kid"}}
    try:
        if public.get("kty") == "RSA":
            if len(public["n"]) * 6 < _MIN_RSA:
                return None
            rsa = RSAKey.import_key(public)
            return rsa if rsa.public_key.key_size >= _MIN_RSA else None
        return ECKey.import_key(public) if public.get("kty") == "EC" else None
    except (JoseError, ValueError, TypeError, KeyError):
        return None
