"""The public keys of an external OpenID issuer: discovered, cached, and fetched again when a key is missing."""

import asyncio
import json
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from ports.keys import IssuerKey, IssuerUnavailable

log = structlog.get_logger(__name__)

FRESH = 600.0
"""Seconds for which keys are used without another fetch."""

STALE = 3_600.0
"""Seconds for which cached keys are used while the issuer does not respond. A key withdrawn meanwhile stays valid."""

PAUSE = 30.0
"""Minimum seconds between two fetches, so that tokens with invented key ids cause no load on the issuer."""

_TIMEOUT = httpx.Timeout(5.0)
_ALTOGETHER = 10.0  # seconds for both questions, however slowly the answers drip
_MOST = 500_000  # bytes of an answer
_SHORTEST_RSA = 2048  # bits


class _NotAnIssuer(Exception):
    """The response is not that of an OpenID issuer."""


class _Known(NamedTuple):
    """The keys at a time of the clock."""

    keys: dict[str | None, IssuerKey]
    at: float


class JwksClient:
    """Implements `IssuerKeys` of `issuer`, the address that its tokens name."""

    def __init__(self, issuer: str, http: httpx.AsyncClient, clock: Callable[[], float] = monotonic) -> None:
        self._issuer = issuer
        self._http = http
        self._clock = clock
        self._known = _Known({}, float("-inf"))
        self._asked_at = float("-inf")
        self._asking = asyncio.Lock()

    async def find(self, key_id: str | None) -> IssuerKey | None:
        if self._age() > FRESH or key_id not in self._known.keys:
            await self._refresh()
        if self._age() > STALE:
            raise IssuerUnavailable(f"{self._issuer} does not answer with its keys")
        return self._known.keys.get(key_id)

    def _age(self) -> float:
        return self._clock() - self._known.at

    async def _refresh(self) -> None:
        """Fetches the keys, unless they were fetched a moment ago. Callers with cached keys do not wait for it."""
        if self._asking.locked() and self._age() <= STALE:
            return
        async with self._asking:
            if self._clock() - self._asked_at < PAUSE:
                return
            self._asked_at = self._clock()
            try:
                async with asyncio.timeout(_ALTOGETHER):
                    self._known = _Known(await self._fetch(), self._clock())
            except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError, _NotAnIssuer) as error:
                log.warning("the outside issuer does not answer with its keys", issuer=self._issuer, cause=str(error))

    async def _fetch(self) -> dict[str | None, IssuerKey]:
        metadata = await self._get(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if metadata.get("issuer") != self._issuer:
            raise _NotAnIssuer("the issuer calls itself differently")
        address = metadata.get("jwks_uri")
        if not isinstance(address, str) or urlsplit(address).scheme not in {"https", urlsplit(self._issuer).scheme}:
            raise _NotAnIssuer("the issuer has no address for its keys, or none that is as safe as its own")
        found = (await self._get(address)).get("keys")
        if not isinstance(found, list):
            raise _NotAnIssuer("the issuer's answer holds no keys")
        keys = [key for key in map(_read, found) if key is not None]
        only: dict[str | None, IssuerKey] = {None: keys[0]} if len(keys) == 1 else {}
        return only | {key.kid: key for key in keys if key.kid}

    async def _get(self, address: str) -> dict[str, Any]:
        content = b""
        async with self._http.stream("GET", address, timeout=_TIMEOUT, follow_redirects=False) as answer:
            if answer.status_code != httpx.codes.OK:
                raise _NotAnIssuer(f"{address} answers {answer.status_code}")
            async for part in answer.aiter_bytes():
                content += part
                if len(content) > _MOST:
                    raise _NotAnIssuer(f"{address} answers without end")
        found = json.loads(content)
        if not isinstance(found, dict):
            raise _NotAnIssuer(f"{address} does not answer with a JSON object")
        return found


def _read(member: object) -> IssuerKey | None:
    """Returns a public key for signatures; None for others, and for secrets (`oct`), which would be shared."""
    if not isinstance(member, dict) or member.get("use", "sig") != "sig":
        return None
    public = {name: value for name, value in member.items() if name in {"kty", "n", "e", "crv", "x", "y", "alg", "kid"}}
    try:
        if public.get("kty") == "RSA":
            if len(public["n"]) * 6 < _SHORTEST_RSA:
                return None
            rsa = RSAKey.import_key(public)
            return rsa if rsa.public_key.key_size >= _SHORTEST_RSA else None
        return ECKey.import_key(public) if public.get("kty") == "EC" else None
    except (JoseError, ValueError, TypeError, KeyError):
        return None
