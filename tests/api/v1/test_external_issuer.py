"""Access tokens of an outside OpenID issuer that the operator trusts, which is spoken to over HTTP (decision 4)."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from joserfc.jwk import ECKey, RSAKey
from pydantic import ValidationError

from adapters.openid.issuer_keys import CachedIssuer
from api.app import create_app
from application.tokens.issuer_tokens import TrustedIssuer
from config.settings import Settings
from domain.shared.ids import SessionId
from tests.api.operations import Operation, every_operation
from tests.api.service import BASE_URL, OWN, STRANGER, Service, bearer, session_request
from tests.builders import ORGANISATION, identifier
from tests.http_requests import local_client
from tests.issuer import DISCOVERY, KEYS, Issuer, kept, running_issuer

AUDIENCE = f"{BASE_URL}/api/v1"
GOOD: dict[str, Any] = {"aud": AUDIENCE, "organisation": ORGANISATION, "scope": "read:sessions write:sessions openid"}
ON_CURVE = ECKey.generate_key("P-256", {"kid": "curve"})


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture
def issuer(running: Issuer) -> Iterator[Issuer]:
    with kept(running):
        yield running


@pytest.fixture
async def trusting(service: Service, issuer: Issuer) -> AsyncIterator[Service]:
    """A service that trusts the issuer."""
    async with local_client() as http:
        keys = CachedIssuer(issuer.url, http)
        trusted = TrustedIssuer(issuer.url, AUDIENCE, "organisation", "scope", keys)
        service.app = create_app(service.services(trusted_issuer=trusted))
        yield service


async def ask(service: Service, token: str, path: str = f"/api/v1/Session/{identifier('none')}") -> httpx.Response:
    return await service.http(None).get(path, headers={"Authorization": f"Bearer {token}"})


async def test_a_token_of_the_trusted_issuer_acts_for_its_organisation(trusting: Service, issuer: Issuer) -> None:
    http = trusting.http(None)
    http.headers["Authorization"] = f"Bearer {issuer.token(**GOOD)}"

    created = await http.post("/api/v1/Session", json=session_request())
    session_id = created.json()["sessionId"]

    assert (await http.get(f"/api/v1/Session/{session_id}")).json().items() <= created.json().items()
    assert (await trusting.http(STRANGER).get(f"/api/v1/Session/{session_id}")).status_code == 404
    (event,) = await trusting.rows.events(ORGANISATION, SessionId(session_id))
    assert event.actor.id == f"{issuer.url}|back-office"


async def test_tokens_of_our_own_count_beside_it(trusting: Service) -> None:
    assert (await trusting.http().get(f"/api/v1/Session/{identifier('none')}")).status_code == 404


async def test_an_untrusted_issuer_is_refused(service: Service, issuer: Issuer) -> None:
    assert (await ask(service, issuer.token(**GOOD))).status_code == 401


def timed(claims: dict[str, Any]) -> dict[str, Any]:
    """The claims with their times, given as seconds from now."""
    now = int(datetime.now(UTC).timestamp())
    times = {name: now + claims[name] for name in ("exp", "nbf", "iat") if isinstance(claims.get(name), int)}
    return {**GOOD, **claims, **times}


@pytest.mark.parametrize("algorithm", ["RS256", "RS512", "PS256", "ES256"])
async def test_signatures_with_public_keys_are_accepted(trusting: Service, issuer: Issuer, algorithm: str) -> None:
    if algorithm == "ES256":
        issuer.use(ON_CURVE)
    assert (await ask(trusting, issuer.token(algorithm, **GOOD))).status_code == 404


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": ["https://elsewhere.example.com", AUDIENCE]}, {"nbf": 0}, {"nbf": 10}, {"exp": -10}, {"iat": None},
        {"scope": ["read:sessions", 5]},
    ],
    ids=str,
)  # fmt: skip
async def test_what_issuers_do_differently_is_accepted(trusting: Service, issuer: Issuer, claims: Any) -> None:
    assert (await ask(trusting, issuer.token(**timed(claims)))).status_code == 404


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example.com"}, {"iss": None}, {"aud": None},
        {"aud": "https://elsewhere.example.com"}, {"aud": [AUDIENCE + "/"]}, {"aud": {"is": AUDIENCE}}, {"exp": None},
        {"exp": -60}, {"exp": "tomorrow"}, {"nbf": 600}, {"iat": 600}, {"sub": None}, {"sub": ""}, {"sub": 5},
        {"sub": "x" * 256}, {"sub": "two\nlines"}, {"organisation": None},
        {"organisation": identifier("unknown organisation")}, {"organisation": "Northwind Trading"},
        {"organisation": ORGANISATION.upper()}, {"organisation": [ORGANISATION]},
    ],
    ids=str,
)  # fmt: skip
async def test_a_token_with_wrong_claims_is_refused(trusting: Service, issuer: Issuer, claims: Any) -> None:
    answer = await ask(trusting, issuer.token(**timed(claims)))
    assert (answer.status_code, answer.json()["error"]) == (401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def by_hand(issuer: Issuer, algorithm: str) -> str:
    """Returns a token that is signed with `algorithm` and the public key."""
    claims = issuer.token(**GOOD).split(".")[1]
    header = urlsafe_b64encode(json.dumps({"alg": algorithm, "kid": issuer.key.kid}).encode()).decode().rstrip("=")
    if algorithm == "none":
        return f"{header}.{claims}."
    signature = hmac.digest(issuer.key.as_pem(private=False), f"{header}.{claims}".encode(), "sha256")
    return f"{header}.{claims}.{urlsafe_b64encode(signature).decode().rstrip('=')}"


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256"])
async def test_an_unsigned_token_is_refused(trusting: Service, issuer: Issuer, algorithm: str) -> None:
    assert (await ask(trusting, by_hand(issuer, algorithm))).status_code == 401


async def test_other_keys_and_other_kinds_of_tokens_are_refused(trusting: Service, issuer: Issuer) -> None:
    published = issuer.key
    issuer.key = RSAKey.generate_key(2048, {"kid": "first"})
    stolen_name = issuer.token(**GOOD)
    issuer.key = ON_CURVE
    other_kind = issuer.token("ES256", {"kid": "first"}, **GOOD)
    issuer.key = published

    for token in (stolen_name, other_kind, issuer.token(header={"typ": "logout+jwt"}, **GOOD)):
        assert (await ask(trusting, token)).status_code == 401


async def test_a_key_signs_with_the_algorithm_that_it_was_published_for(trusting: Service, issuer: Issuer) -> None:
    issuer.use(issuer.key, alg="RS256")
    assert (await ask(trusting, issuer.token("RS512", **GOOD))).status_code == 401
    assert (await ask(trusting, issuer.token("RS256", **GOOD))).status_code == 404


@every_operation
async def test_scopes_are_needed_as_for_own_clients(trusting: Service, issuer: Issuer, operation: Operation) -> None:
    for claims in ({"scope": None}, {"scope": " ".join(operation.other_scopes)}, {"scope": 5}, {"scope": {}}):
        answer = await trusting.http(None).request(
            operation.method, operation.url(), headers={"Authorization": f"Bearer {issuer.token(**timed(claims))}"}
        )

        assert (answer.status_code, answer.json()["error"]) == (403, "INSUFFICIENT_SCOPE")


async def test_the_claims_are_those_of_the_settings(service: Service, issuer: Issuer) -> None:
    async with local_client() as http:
        keys = CachedIssuer(issuer.url, http)
        trusted = TrustedIssuer(issuer.url, "undersign", "https://example.com/tenant", "scp", keys)
        service.app = create_app(service.services(trusted_issuer=trusted))
        named = {"https://example.com/tenant": ORGANISATION, "scp": ["read:sessions"]}

        assert (await ask(service, issuer.token(aud="undersign", **named))).status_code == 404
        assert (await ask(service, issuer.token(**GOOD))).status_code == 401


async def test_tokens_of_a_rotated_key_are_accepted(trusting: Service, issuer: Issuer) -> None:
    before = issuer.token(**GOOD)
    issuer.use(ON_CURVE, issuer.key)

    assert (await ask(trusting, issuer.token("ES256", **GOOD))).status_code == 404
    assert (await ask(trusting, before)).status_code == 404


async def test_tokens_cannot_be_checked_while_the_issuer_is_down(trusting: Service, issuer: Issuer) -> None:
    issuer.pages[DISCOVERY] = 503

    answer = await ask(trusting, issuer.token(**GOOD))

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert answer.headers["retry-after"]
    assert (await ask(trusting, bearer(OWN)["Authorization"].removeprefix("Bearer "))).status_code == 404


async def test_many_bad_tokens_do_not_become_requests_to_the_issuer(trusting: Service, issuer: Issuer) -> None:
    issuer.asked.clear()
    for number in range(10):
        await ask(trusting, issuer.token(header={"kid": f"invented {number}"}, **GOOD))
    assert issuer.asked == [DISCOVERY, KEYS]


@pytest.mark.parametrize(
    "issuer",
    [
        "accounts.example.com", "http://accounts.example.com", "http://localhost.example.com",
        "https://accounts.example.com/?x", "https://",
    ],
)  # fmt: skip
def test_an_issuer_that_cannot_be_trusted_is_refused_at_the_start(issuer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSIGN_OIDC_ISSUER", issuer)
    with pytest.raises(ValidationError):
        Settings()


@pytest.mark.parametrize(
    "issuer", ["https://accounts.example.com", "https://example.com/realms/a/", "http://localhost:9000/a"]
)
def test_an_issuer_is_kept_as_it_calls_itself(issuer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSIGN_OIDC_ISSUER", issuer)
    assert Settings().oidc_issuer == issuer
