"""Getting an access token (Specification 5.1, RFC 6749)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from joserfc import jws, jwt
from joserfc.jwk import KeySet

from api.app import create_app
from domain.ports.keys import KeyRing
from tests.api.service import BASE_URL, EVERYTHING, GRANT, OWN, SECRET, Service, client_of
from tests.builders import ORGANISATION, identifier
from tests.fakes.access_keys import MemoryAccessKeys

BY_BASIC = (OWN.client_id, SECRET)
BY_FORM = {"client_id": OWN.client_id, "client_secret": SECRET}


async def ask(service: Service, form: dict[str, str], basic: tuple[str, str] | None = None) -> httpx.Response:
    return await service.http(None).post("/oidc/token", data=form, auth=basic or httpx.USE_CLIENT_DEFAULT)


@pytest.mark.parametrize(
    ("form", "basic"), [(GRANT, BY_BASIC), (GRANT | BY_FORM, None), (GRANT | {"client_id": OWN.client_id}, BY_BASIC)]
)
async def test_a_client_gets_a_token(service: Service, form: dict[str, str], basic: tuple[str, str] | None) -> None:
    answer = await ask(service, form, basic)

    assert answer.status_code == 200
    token = answer.json()
    assert (token["token_type"], token["expires_in"]) == ("Bearer", 3600)
    assert token["scope"].split() == list(EVERYTHING)
    assert answer.headers["cache-control"] == "no-store"
    session = await service.http(None).get(
        f"/api/v1/Session/{identifier('none')}", headers={"Authorization": f"Bearer {token['access_token']}"}
    )
    assert session.status_code == 404


async def test_the_token_is_a_jwt_that_the_published_keys_verify(service: Service) -> None:
    http = service.http(None)
    metadata = (await http.get("/.well-known/oauth-authorization-server")).json()
    answer = await http.post(metadata["token_endpoint"], data=GRANT | {"scope": "read:sessions"}, auth=BY_BASIC)
    published = await http.get(metadata["jwks_uri"])
    keys = published.json()

    decoded = jwt.decode(answer.json()["access_token"], KeySet.import_key_set(keys), ["ES256"])

    assert published.headers["cache-control"] == "public, max-age=300"
    assert decoded.header["kid"] == keys["keys"][0]["kid"]
    assert "d" not in keys["keys"][0]
    claims = decoded.claims
    assert claims["iss"] == BASE_URL == metadata["issuer"]
    assert claims["aud"] == f"{BASE_URL}/api/v1"
    assert claims["sub"] == OWN.client_id
    assert claims["organisation"] == ORGANISATION
    assert claims["scope"] == "read:sessions"
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["jti"]


async def test_the_metadata_tell_all_that_a_client_library_asks_for(service: Service) -> None:
    metadata = (await service.http(None).get("/.well-known/oauth-authorization-server")).json()
    for path in ("/.well-known/openid-configuration", "/.well-known/openid-configuration/mcp"):
        assert (await service.http(None).get(path)).json() == metadata

    assert metadata == {
        "issuer": BASE_URL, "authorization_endpoint": f"{BASE_URL}/app/authorize",
        "token_endpoint": f"{BASE_URL}/oidc/token", "registration_endpoint": f"{BASE_URL}/oidc/register",
        "revocation_endpoint": f"{BASE_URL}/oidc/revoke", "jwks_uri": f"{BASE_URL}/.well-known/jwks.json",
        "scopes_supported": list(EVERYTHING), "service_documentation": f"{BASE_URL}/docs",
        "response_types_supported": ["code"], "response_modes_supported": ["query"],
        "grant_types_supported": ["client_credentials", "authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": True,
    }  # fmt: skip


async def test_every_token_has_an_id_of_its_own(service: Service) -> None:
    first, second = [(await ask(service, GRANT, BY_BASIC)).json()["access_token"] for _ in range(2)]
    assert first != second


@pytest.mark.parametrize(
    ("form", "basic", "status", "error"),
    [
        ({}, BY_BASIC, 400, "invalid_request"), ({"grant_type": "password"}, BY_BASIC, 400, "unsupported_grant_type"),
        (GRANT | {"scope": "read:sessions rule:world"}, BY_BASIC, 400, "invalid_scope"),
        (GRANT, (OWN.client_id, "wrong"), 401, "invalid_client"), (GRANT, (OWN.client_id, ""), 401, "invalid_client"),
        (GRANT, (identifier("nobody"), SECRET), 401, "invalid_client"),
        (GRANT, ("not an identifier", SECRET), 401, "invalid_client"), (GRANT, None, 401, "invalid_client"),
        (GRANT | BY_FORM, BY_BASIC, 400, "invalid_request"),
        (GRANT | {"client_id": identifier("nobody")}, BY_BASIC, 400, "invalid_request"),
        (GRANT | {"resource": "https://elsewhere.example.com"}, BY_BASIC, 400, "invalid_target"),
    ],
)  # fmt: skip
async def test_what_is_wrong_is_said_as_rfc_6749_says_it(
    service: Service, form: dict[str, str], basic: tuple[str, str] | None, status: int, error: str
) -> None:
    answer = await ask(service, form, basic)

    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["pragma"] == "no-cache"
    assert answer.headers.get("www-authenticate", "").startswith("Basic") == (status == 401)


@pytest.mark.parametrize("header", ["Basic ???", "Basic /////w==", "Digest abc", "Basic", ""])
async def test_a_header_that_cannot_be_read_is_no_client(service: Service, header: str) -> None:
    answer = await service.http(None).post("/oidc/token", data=GRANT, headers={"Authorization": header})
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


@pytest.mark.parametrize("body", [b"\xff\xfe", b"grant_type", b'{"grant_type": "x"}'])
async def test_a_form_that_cannot_be_read_is_an_invalid_request(service: Service, body: bytes) -> None:
    answer = await service.http(None).post("/oidc/token", content=body, auth=BY_BASIC)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("path", ["jwks.json", "oauth-authorization-server", "oauth-protected-resource/mcp"])
async def test_browsers_of_every_origin_read_the_metadata_and_nothing_else(service: Service, path: str) -> None:
    answer = await service.http(None).get(f"/.well-known/{path}", headers={"Origin": "https://elsewhere.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    other = await service.http().get("/api/v1/Sessions", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in other.headers


async def test_a_refusal_says_what_to_send(service: Service) -> None:
    for form, basic, advice in (
        ({}, BY_BASIC, "Send grant_type=client_credentials"),
        (GRANT | {"scope": "read:sessions,write:sessions"}, BY_BASIC, "has: read:sessions write:sessions"),
        (GRANT, None, "by HTTP Basic, or as client_id and client_secret in the form"),
        (GRANT | {"resource": "https://elsewhere.example.com"}, BY_BASIC, f"{BASE_URL}/api/v1 or {BASE_URL}/mcp"),
    ):
        assert advice in (await ask(service, form, basic)).json()["error_description"]


async def test_a_token_for_a_named_resource_is_for_that_one(service: Service) -> None:
    answer = await ask(service, GRANT | {"resource": f"{BASE_URL}/mcp"}, BY_BASIC)
    (payload, *_) = answer.json()["access_token"].split(".")[1:]
    assert json.loads(urlsafe_b64decode(payload + "=="))["aud"] == f"{BASE_URL}/mcp"


async def test_tokens_of_operators_clients_end_by_themselves(service: Service) -> None:
    for secret, status, error in ((SECRET, 400, "unsupported_token_type"), ("wrong", 401, "invalid_client")):
        answer = await service.http(None).post("/oidc/revoke", data={"token": "x"}, auth=(OWN.client_id, secret))
        assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_a_revoked_client_gets_no_token(service: Service) -> None:
    revoked = client_of(ORGANISATION, "revoked", revoked_at=datetime.now(UTC))
    await service.organisations.add_client(revoked)

    answer = await ask(service, GRANT, (revoked.client_id, SECRET))

    assert answer.json()["error"] == "invalid_client"


async def test_a_client_may_ask_for_no_more_than_its_own_scopes(service: Service) -> None:
    narrow = client_of(ORGANISATION, "narrow", scopes=("read:sessions",))
    await service.organisations.add_client(narrow)

    given = await ask(service, GRANT, (narrow.client_id, SECRET))
    refused = await ask(service, GRANT | {"scope": "write:sessions"}, (narrow.client_id, SECRET))

    assert given.json()["scope"] == "read:sessions"
    assert refused.json()["error"] == "invalid_scope"


async def published(service: Service) -> list[str]:
    keys = (await service.http(None).get("/.well-known/jwks.json")).json()["keys"]
    return [key["kid"] for key in keys]


async def status_with(service: Service, token: str) -> int:
    path = f"/api/v1/Session/{identifier('none')}"
    return (await service.http(None).get(path, headers={"Authorization": f"Bearer {token}"})).status_code


async def test_after_a_rotation_tokens_of_both_keys_are_valid_and_both_are_published(service: Service) -> None:
    keys = MemoryAccessKeys()
    service.app = create_app(service.services(access_keys=keys))
    before = (await ask(service, GRANT, BY_BASIC)).json()["access_token"]
    old = keys.ring.signing.key_id

    keys.rotate(datetime.now(UTC), timedelta(hours=1))
    after = (await ask(service, GRANT, BY_BASIC)).json()["access_token"]

    assert jws.extract_compact(after.encode()).headers()["kid"] == keys.ring.signing.key_id != old
    assert await published(service) == [keys.ring.signing.key_id, old]
    assert [await status_with(service, token) for token in (before, after)] == [404, 404]


async def test_a_former_key_counts_no_more_when_its_time_is_over_or_it_was_retired(service: Service) -> None:
    keys = MemoryAccessKeys()
    service.app = create_app(service.services(access_keys=keys))
    first = (await ask(service, GRANT, BY_BASIC)).json()["access_token"]
    keys.rotate(datetime.now(UTC) - timedelta(hours=1), timedelta(hours=1))
    second = (await ask(service, GRANT, BY_BASIC)).json()["access_token"]
    keys.rotate(datetime.now(UTC), timedelta(hours=1))
    keys.ring = KeyRing(keys.ring.signing, keys.ring.former[1:])

    assert [await status_with(service, token) for token in (first, second)] == [401, 401]
    assert await published(service) == [keys.ring.signing.key_id]


async def test_an_id_of_a_key_in_the_header_chooses_only_among_our_keys(service: Service) -> None:
    token = (await ask(service, GRANT, BY_BASIC)).json()["access_token"]
    claims, signature = token.split(".")[1:]
    for header in ({"alg": "ES256"}, {"alg": "ES256", "kid": "nobody"}, {"alg": "ES256", "kid": 5}):
        other = urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")

        assert await status_with(service, f"{other}.{claims}.{signature}") == 401
