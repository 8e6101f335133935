"""Who may do what: 401, then 403, then 404 (contract 2)."""

from datetime import UTC, datetime, timedelta

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from api.oidc.tokens import AccessTokens
from tests.api.service import (
    ACCESS_KEYS,
    BASE_URL,
    EVERYTHING,
    OWN,
    STRANGER,
    Service,
    bearer,
    client_of,
    session_request,
)
from tests.builders import ORGANISATION, identifier

NOW = datetime.now(UTC)
READING, WRITING = "read:sessions", "write:sessions"
ROUTES = [
    ("GET", "/api/v1/Session/{id}", READING),
    ("POST", "/api/v1/Session/{id}/Send", WRITING),
    ("POST", "/api/v1/Session/{id}/SendInvitation", WRITING),
    ("POST", "/api/v1/Session/{id}/Restore", WRITING),
    ("DELETE", "/api/v1/Session/{id}", WRITING),
    ("DELETE", "/api/v1/Session/{id}?permanent=true", WRITING),
    ("GET", "/api/v1/Session/{id}/Documents", READING),
    ("GET", "/api/v1/Session/{id}/Document/" + identifier("a file"), READING),
    ("GET", "/api/v1/Session/{id}/Certificate", READING),
    ("GET", "/api/v1/Session/{id}/Events", READING),
]
EVERY_ROUTE = pytest.mark.parametrize(("method", "path", "scope"), ROUTES)


def sealed(claims: dict[str, object], key: ECKey | None = None, algorithm: str = "ES256") -> str:
    own = ECKey.import_key(ACCESS_KEYS.ring.signing.private)
    standard = {
        "iss": BASE_URL,
        "aud": f"{BASE_URL}/api/v1",
        "sub": OWN.client_id,
        "organisation": ORGANISATION,
        "scope": READING,
        "exp": int(NOW.timestamp()) + 3600,
    }
    wanted = {name: value for name, value in {**standard, **claims}.items() if value is not None}
    return jwt.encode({"alg": algorithm, "kid": ACCESS_KEYS.ring.signing.key_id}, wanted, key or own, [algorithm])


BAD_TOKENS = {
    "none": "",
    "garbage": "Bearer garbage",
    "three parts of nothing": "Bearer a.b.c",
    "not ascii": "Bearer \xff\xff.a.b",
    "another scheme": "Basic " + sealed({}),
    "expired": "Bearer " + sealed({"exp": int(NOW.timestamp()) - 1}),
    "without an end": "Bearer " + sealed({"exp": None}),
    "another issuer": "Bearer " + sealed({"iss": "https://elsewhere.example.com"}),
    "another audience": "Bearer " + sealed({"aud": f"{BASE_URL}/elsewhere"}),
    "without an audience": "Bearer " + sealed({"aud": None}),
    "another key": "Bearer " + sealed({}, ECKey.generate_key("P-256")),
    "another organisation": "Bearer " + sealed({"organisation": STRANGER.organisation_id}),
    "an unknown client": "Bearer " + sealed({"sub": identifier("nobody")}),
    "no client": "Bearer " + sealed({"sub": None}),
    "unsigned": "Bearer eyJhbGciOiJub25lIn0." + sealed({}).split(".")[1] + ".",
}


@pytest.mark.parametrize("authorization", BAD_TOKENS.values(), ids=BAD_TOKENS.keys())
async def test_a_token_that_we_did_not_issue_for_now_is_refused(service: Service, authorization: str) -> None:
    headers = {b"Authorization": authorization.encode("latin-1")} if authorization else None

    answer = await service.http(None).get(f"/api/v1/Session/{identifier('x')}", headers=headers)

    assert (answer.status_code, answer.json()["error"]) == (401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_the_token_that_the_bad_ones_are_made_from_is_a_good_one(service: Service) -> None:
    answer = await service.http(None).get(
        f"/api/v1/Session/{identifier('x')}", headers={"Authorization": f"bearer {sealed({})}"}
    )

    assert answer.status_code == 404


async def test_a_token_ends_when_its_client_is_revoked(service: Service) -> None:
    client = client_of(ORGANISATION, "soon revoked")
    await service.organisations.add_client(client_of(ORGANISATION, "soon revoked", revoked_at=NOW))

    answer = await service.http(client).get(f"/api/v1/Session/{identifier('x')}")

    assert answer.status_code == 401


async def test_a_token_is_valid_for_an_hour(service: Service) -> None:
    path, now = f"/api/v1/Session/{identifier('x')}", datetime.now(UTC)

    fresh = await service.http(None).get(path, headers=bearer(OWN, at=now - timedelta(minutes=59)))
    old = await service.http(None).get(path, headers=bearer(OWN, at=now - timedelta(minutes=61)))

    assert (fresh.status_code, old.status_code) == (404, 401)


async def test_a_token_for_another_address_of_the_service_is_refused(service: Service) -> None:
    token = AccessTokens(ACCESS_KEYS, "https://other.example.com").issue(OWN, EVERYTHING, NOW)

    answer = await service.http(None).get(
        f"/api/v1/Session/{identifier('x')}", headers={"Authorization": f"Bearer {token}"}
    )

    assert answer.status_code == 401


@EVERY_ROUTE
async def test_every_route_asks_for_a_token_first(service: Service, method: str, path: str, scope: str) -> None:
    answer = await service.http(None).request(method, path.format(id="no identifier"))

    assert answer.status_code == 401


@EVERY_ROUTE
async def test_every_route_asks_for_its_scope_second(service: Service, method: str, path: str, scope: str) -> None:
    others = tuple(other for other in EVERYTHING if other != scope)

    answer = await service.http(None).request(method, path.format(id="x"), headers=bearer(OWN, others))

    assert (answer.status_code, answer.json()["error"]) == (403, "INSUFFICIENT_SCOPE")
    assert scope in answer.json()["message"]


@EVERY_ROUTE
async def test_another_organisations_session_is_answered_like_an_unknown_one(
    service: Service, method: str, path: str, scope: str
) -> None:
    session = await service.create()
    http = service.http(STRANGER)
    http.headers["X-Request-Id"] = "same"

    foreign = await http.request(method, path.format(id=session["sessionId"]))
    unknown = await http.request(method, path.format(id=identifier("unknown")))
    malformed = await http.request(method, path.format(id="malformed"))

    assert foreign.status_code == 404
    assert foreign.content == unknown.content == malformed.content
    assert foreign.headers == unknown.headers == malformed.headers
    assert (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json() == session


async def test_a_body_is_not_looked_at_before_the_token(service: Service) -> None:
    for content in (b"{", b'{"unknown": 1}'):
        answer = await service.http(None).post(
            "/api/v1/Session", content=content, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 401

    answer = await service.http(None).post("/api/v1/Session", content=b"{", headers=bearer(OWN, (READING,)))
    assert answer.status_code == 403


async def test_a_scope_that_the_client_has_lost_counts_no_more(service: Service) -> None:
    before = client_of(ORGANISATION, "narrowed")
    await service.organisations.add_client(client_of(ORGANISATION, "narrowed", scopes=(READING,)))

    answer = await service.http(before).post("/api/v1/Session", json=session_request())

    assert answer.status_code == 403
