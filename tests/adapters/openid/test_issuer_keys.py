"""Metadata and keys of an outside issuer, over HTTP: kept for a while, and followed when they change."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from joserfc.jwk import ECKey, OctKey

from adapters.openid.issuer_keys import FRESH, PAUSE, STALE, CachedIssuer
from domain.ports.openid import IssuerUnavailable
from tests.http_requests import local_client
from tests.issuer import DISCOVERY, KEYS, Issuer, running_issuer

SECOND = ECKey.generate_key("P-256", {"kid": "second"})
SMALL = {"kty": "RSA", "kid": "first", "n": "x" * 171, "e": "AQAB"}  # 1024 bits


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running_issuer() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def keys(issuer: Issuer, clock: Clock) -> AsyncIterator[CachedIssuer]:
    async with local_client() as http:
        yield CachedIssuer(issuer.url, http, clock)


async def found(keys: CachedIssuer, *ids: str | None) -> list[bool]:
    return [await keys.find(key_id) is not None for key_id in ids]


async def test_keys_are_discovered_and_fetched_once(keys: CachedIssuer, issuer: Issuer) -> None:
    assert all(await asyncio.gather(*(keys.find("first") for _ in range(20))))
    assert await found(keys, "first", "first") == [True, True]
    assert issuer.asked == [DISCOVERY, KEYS]


async def test_an_issuer_without_a_server_is_unavailable(clock: Clock) -> None:
    async with local_client() as http:
        with pytest.raises(IssuerUnavailable):
            await CachedIssuer("http://127.0.0.1:1", http, clock).find("first")


async def test_a_new_key_is_fetched_after_a_pause(keys: CachedIssuer, issuer: Issuer, clock: Clock) -> None:
    await keys.find("first")
    issuer.use(SECOND)

    assert await found(keys, "second", "invented") == [False, False]
    clock.now += PAUSE
    assert await found(keys, "second", "invented", "first") == [True, False, False]
    assert len(issuer.asked) == 4


async def test_a_withdrawn_key_expires(keys: CachedIssuer, issuer: Issuer, clock: Clock) -> None:
    await keys.find("first")
    issuer.use(SECOND)

    clock.now += FRESH
    assert await found(keys, "first") == [True]
    clock.now += 1
    assert await found(keys, "first") == [False]


@pytest.mark.parametrize("page", [DISCOVERY, KEYS])
async def test_keys_of_an_absent_issuer_last_an_hour(
    keys: CachedIssuer, issuer: Issuer, clock: Clock, page: str
) -> None:
    await keys.find("first")
    issuer.pages[page] = 503

    clock.now += STALE
    assert await found(keys, "first", "other") == [True, False]
    clock.now += 1
    with pytest.raises(IssuerUnavailable):
        await keys.find("first")


async def test_metadata_of_an_absent_issuer_are_not_used_when_they_are_old(
    keys: CachedIssuer, issuer: Issuer, clock: Clock
) -> None:
    """An outage is noticed here, not by a browser that was redirected to a dead server."""
    assert (await keys.read_metadata())["issuer"] == issuer.url
    issuer.pages[DISCOVERY] = 503

    clock.now += FRESH
    assert await keys.read_metadata()
    clock.now += 1
    for _ in range(2):
        with pytest.raises(IssuerUnavailable):
            await keys.read_metadata()
    assert await found(keys, "first") == [True]


async def test_everybody_waits_for_metadata_that_are_fetched(keys: CachedIssuer, issuer: Issuer, clock: Clock) -> None:
    await keys.read_metadata()
    clock.now += FRESH + 1
    assert all(await asyncio.gather(*(keys.read_metadata() for _ in range(20))))
    assert issuer.asked == [DISCOVERY, KEYS] * 2


@pytest.mark.parametrize(
    "discovery",
    [
        302,
        404,
        500,
        b"",
        b"<html>",
        b"[" * 100_000,
        b" " * 500_001,
        [],
        {},
        {"issuer": "https://elsewhere.example.com", "jwks_uri": "/"},
        {"issuer": "itself"},
        {"issuer": "itself", "jwks_uri": 5},
        {"issuer": "itself", "jwks_uri": "file:///etc/passwd"},
        {"issuer": "itself", "jwks_uri": "/keys"},
        {"issuer": "itself", "jwks_uri": "http://[::1"},
    ],
    ids=str,
)
async def test_an_invalid_discovery_is_unavailable(keys: CachedIssuer, issuer: Issuer, discovery: Any) -> None:
    own = {"issuer": issuer.url} if isinstance(discovery, dict) and discovery.get("issuer") == "itself" else {}
    issuer.pages[DISCOVERY] = {**discovery, **own} if isinstance(discovery, dict) else discovery
    with pytest.raises(IssuerUnavailable):
        await keys.find("first")


@pytest.mark.parametrize("change", ["/", "?tenant=other", ".example.com"])
async def test_an_issuer_of_another_name_is_unavailable(keys: CachedIssuer, issuer: Issuer, change: str) -> None:
    issuer.pages[DISCOVERY] = {**issuer.pages[DISCOVERY], "issuer": issuer.url + change}
    with pytest.raises(IssuerUnavailable):
        await keys.find("first")


@pytest.mark.parametrize(
    "member",
    [
        {**OctKey.generate_key(256).as_dict(), "kid": "first"},
        {**ECKey.generate_key("P-256").as_dict(private=False), "kid": "first", "use": "enc"},
        SMALL,
        {"kty": "EC", "kid": "first", "crv": "P-256"},
        {"kty": "RSA", "kid": "first", "n": "?", "e": "AQAB"},
        {"kid": "first"},
        "first",
    ],
    ids=["symmetric", "for encryption", "too small", "without a point", "no number", "without a kind", "no object"],
)
async def test_keys_that_verify_no_signature_are_ignored(keys: CachedIssuer, issuer: Issuer, member: Any) -> None:
    issuer.pages[KEYS] = {"keys": [member, SECOND.as_dict(private=False)]}
    assert await found(keys, "first", "second") == [False, True]


async def test_without_an_id_the_only_key_is_found(keys: CachedIssuer, issuer: Issuer, clock: Clock) -> None:
    assert await found(keys, None) == [True]
    issuer.use(SECOND, issuer.key)
    clock.now += FRESH + 1
    assert await found(keys, None, "first", "second") == [False, True, True]


async def test_private_parts_of_published_keys_are_dropped(keys: CachedIssuer, issuer: Issuer) -> None:
    issuer.pages[KEYS] = {"keys": [SECOND.as_dict(private=True)]}
    key = await keys.find("second")
    assert key is not None
    assert not key.is_private
