"""Who may do what: 401, then 403, then 404 (Specification 5.2)."""

import hmac
import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

from application.tokens.access_tokens import AccessTokens
from tests.api.operations import OPERATIONS, PUBLIC, SECURED, Operation, every_operation
from tests.api.service import ACCESS_KEYS, BASE_URL, EVERYTHING, OWN, STRANGER, Service, bearer, client_of
from tests.builders import ORGANISATION, identifier

NOW = datetime.now(UTC)
READING = "read:sessions"


def sealed(claims: dict[str, object], key: ECKey | None = None) -> str:
    own = ECKey.import_key(ACCESS_KEYS.ring.signing.private)
    standard = {
        "iss": BASE_URL, "aud": f"{BASE_URL}/api/v1", "sub": OWN.client_id, "organisation": ORGANISATION,
        "scope": READING, "exp": int(NOW.timestamp()) + 3600,
    }  # fmt: skip
    expected = {name: value for name, value in {**standard, **claims}.items() if value is not None}
    return jwt.encode({"alg": "ES256", "kid": ACCESS_KEYS.ring.signing.key_id}, expected, key or own, ["ES256"])


def sealed_with_what_is_public() -> str:
    """The old trick: HMAC with the published key as its secret."""
    public = ECKey.import_key(ACCESS_KEYS.ring.signing.private).as_pem(private=False)
    header = json.dumps({"alg": "HS256", "kid": ACCESS_KEYS.ring.signing.key_id}).encode()
    signed = f"{urlsafe_b64encode(header).decode().rstrip('=')}.{sealed({}).split('.')[1]}"
    signature = hmac.digest(public, signed.encode(), "sha256")
    return f"{signed}.{urlsafe_b64encode(signature).decode().rstrip('=')}"


REVOKED = client_of(ORGANISATION, "revoked", revoked_at=NOW)
BAD_TOKENS = {
    "none": "", "a scheme alone": "Bearer", "garbage": "Bearer garbage", "three parts of nothing": "Bearer a.b.c",
    "not ascii": "Bearer \xff\xff.a.b", "another scheme": "Basic " + sealed({}),
    "expired": "Bearer " + sealed({"exp": int(NOW.timestamp()) - 1}),
    "without an end": "Bearer " + sealed({"exp": None}),
    "another issuer": "Bearer " + sealed({"iss": "https://elsewhere.example.com"}),
    "another audience": "Bearer " + sealed({"aud": f"{BASE_URL}/elsewhere"}),
    "without an audience": "Bearer " + sealed({"aud": None}),
    "another address": "Bearer " + AccessTokens(ACCESS_KEYS, "https://other.example.com").issue(OWN, EVERYTHING, NOW),
    "another key": "Bearer " + sealed({}, ECKey.generate_key("P-256")),
    "another organisation": "Bearer " + sealed({"organisation": STRANGER.organisation_id}),
    "an unknown client": "Bearer " + sealed({"sub": identifier("nobody")}),
    "a revoked client": "Bearer " + sealed({"sub": REVOKED.client_id}), "no client": "Bearer " + sealed({"sub": None}),
    "not valid yet": "Bearer " + sealed({"nbf": int(NOW.timestamp()) + 86_400}),
    "signed with a secret that is public": "Bearer " + sealed_with_what_is_public(),
    "unsigned": "Bearer eyJhbGciOiJub25lIn0." + sealed({}).split(".")[1] + ".",
}  # fmt: skip


def presents_a_token(authorization: str) -> bool:
    """Whether the header has a Bearer token in it, good or bad."""
    return authorization.lower().startswith("bearer") and bool(authorization[len("bearer") :].strip())


def check_refused(answer: httpx.Response, operation: Operation, status: int, code: str) -> None:
    """In the one shape, and as the description says."""
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert answer.json().keys() == {"message", "error"}
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    assert str(status) in operation.described["responses"]


def test_whatever_asks_for_no_token_is_known_by_name() -> None:
    assert [str(operation) for operation in SECURED if not operation.ways] == []
    assert [str(operation) for operation in OPERATIONS if operation.path in PUBLIC and operation.ways] == []


@every_operation
async def test_a_bad_token_is_refused_by_every_operation(service: Service, operation: Operation) -> None:
    await service.organisations.add_client(REVOKED)
    for name, authorization in BAD_TOKENS.items():
        headers = {b"Authorization": authorization.encode("latin-1")} if authorization else None

        answer = await service.http(None).request(operation.method, operation.url(), headers=headers)

        check_refused(answer, operation, 401, "UNAUTHORIZED")
        expected = 'Bearer error="invalid_token"' if presents_a_token(authorization) else "Bearer"
        assert answer.headers["www-authenticate"] == expected, name


async def test_the_token_that_the_bad_ones_are_made_from_is_a_good_one(service: Service) -> None:
    answer = await service.http(None).get(
        f"/api/v1/Session/{identifier('x')}", headers={"Authorization": f"bearer {sealed({})}"}
    )
    assert answer.status_code == 404


@every_operation
async def test_a_token_without_the_scope_is_refused(service: Service, operation: Operation) -> None:
    answer = await service.http(None).request(
        operation.method, operation.url(), headers=bearer(OWN, operation.other_scopes)
    )

    check_refused(answer, operation, 403, "INSUFFICIENT_SCOPE")
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith('Bearer error="insufficient_scope", scope="')
    assert {challenge.split('"')[3]} in operation.ways
    assert challenge.split('"')[3] in answer.json()["message"]


@every_operation
async def test_a_scope_that_the_client_has_lost_counts_no_more(service: Service, operation: Operation) -> None:
    before = client_of(ORGANISATION, "narrowed")
    narrowed = client_of(ORGANISATION, "narrowed", scopes=operation.other_scopes)
    await service.organisations.add_client(narrowed)

    answer = await service.http(before).request(operation.method, operation.url())

    check_refused(answer, operation, 403, "INSUFFICIENT_SCOPE")


@every_operation
async def test_any_one_of_the_scopes_that_a_route_names_opens_it(service: Service, operation: Operation) -> None:
    for way in operation.ways:
        query = "?permanent=true" if "delete:sessions" in way else ""  # which act it is decides which scope opens it
        answer = await service.http(None).request(
            operation.method, operation.url() + query, headers=bearer(OWN, tuple(sorted(way)))
        )

        assert answer.status_code not in {401, 403}


@every_operation
async def test_a_client_is_refused_once_it_is_revoked(service: Service, operation: Operation) -> None:
    await service.organisations.add_client(client_of(ORGANISATION, "soon revoked"))
    http = service.http(client_of(ORGANISATION, "soon revoked"))
    before = await http.request(operation.method, operation.url())

    await service.organisations.revoke_client(client_of(ORGANISATION, "soon revoked").client_id, NOW)
    after = await http.request(operation.method, operation.url())

    assert (before.status_code in {401, 403}, after.status_code) == (False, 401)


async def test_a_token_is_valid_for_an_hour(service: Service) -> None:
    path, now = f"/api/v1/Session/{identifier('x')}", datetime.now(UTC)

    fresh = await service.http(None).get(path, headers=bearer(OWN, at=now - timedelta(minutes=59)))
    old = await service.http(None).get(path, headers=bearer(OWN, at=now - timedelta(minutes=61)))

    assert (fresh.status_code, old.status_code) == (404, 401)
