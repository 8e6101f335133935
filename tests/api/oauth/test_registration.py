"""Metadata of the authorization server, and registration of programs."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from adapters.database.tables.organisations import ApplicationRow
from application.oauth import registration
from application.scopes import Scope
from tests.api.oauth.program import Program
from tests.api.service import BASE_URL, UNLIMITED
from tests.web.app.office import Office

GOOD = {"redirect_uris": ["https://assistant.example.com/callback"], "token_endpoint_auth_method": "none"}


async def register(office: Office, **members: Any) -> httpx.Response:
    return await office.service.http(None).post("/oidc/register", json=members)


async def test_the_metadata_of_the_server_names_existing_addresses(office: Office) -> None:
    metadata = (await office.browser().get("/.well-known/oauth-authorization-server")).json()

    assert metadata["issuer"] == BASE_URL
    assert metadata["code_challenge_methods_supported"] == ["S256"]
    assert metadata["authorization_response_iss_parameter_supported"] is True
    assert metadata["grant_types_supported"] == ["client_credentials", "authorization_code", "refresh_token"]
    for name in ("token_endpoint", "registration_endpoint", "revocation_endpoint"):
        assert (await office.browser().post(metadata[name])).status_code in {400, 401}, name
    assert (await office.browser().get(metadata["authorization_endpoint"])).status_code == 400


@pytest.mark.parametrize("path", ["/mcp", "/api/v1"])
async def test_the_metadata_of_a_resource_names_its_issuer(office: Office, path: str) -> None:
    metadata = (await office.browser().get(f"/.well-known/oauth-protected-resource{path}")).json()

    assert (metadata["resource"], metadata["authorization_servers"]) == (f"{BASE_URL}{path}", [BASE_URL])
    assert metadata["scopes_supported"] == [scope.value for scope in Scope]
    assert metadata["bearer_methods_supported"] == ["header"]


async def test_a_public_program_has_no_secret_and_unknown_members_are_ignored(office: Office) -> None:
    answer = await register(office, **GOOD, client_name="Assistant", contacts=["x"], software_id="1")

    registered = answer.json()
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert {**registered, "client_id": "", "client_id_issued_at": 0} == {
        **GOOD,
        "client_id": "",
        "client_id_issued_at": 0,
        "client_name": "Assistant",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "scope": " ".join(Scope),
    }


@pytest.mark.parametrize(
    "members",
    [
        # The registrations of assistants and editors.
        {
            "redirect_uris": [
                "http://127.0.0.1:33418/",
                "http://127.0.0.1/",
                "http://localhost:33418",
                "https://vscode.dev/redirect",
                "https://insiders.vscode.dev/redirect",
                "vscode://vscode.github-authentication/did-authenticate",
            ],
            "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"],
            "application_type": "native",
        },
        {
            "redirect_uris": [
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "http://localhost:8787/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
            ],
            "client_name": "Cursor",
        },
        {"redirect_uris": ["https://claude.ai/api/mcp/auth_callback"], "scope": "claudeai", "client_name": "Claude"},
        {"redirect_uris": ["http://localhost:6274/oauth/callback"], "scope": "", "client_uri": "https://x.example"},
        {"redirect_uris": ["com.example.app:/callback"], "client_name": ""},
        {"redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"], "grant_types": None},
        {"redirect_uris": ["https://a.example/"], "response_types": [], "logo_uri": None, "scope": None},
    ],
)
async def test_the_registrations_of_known_programs_are_accepted(office: Office, members: dict[str, Any]) -> None:
    for method in ({"token_endpoint_auth_method": "none"}, {"token_endpoint_auth_method": None}, {}):
        answer = await register(office, **{**members, **method})
        assert (answer.status_code, answer.json()["redirect_uris"]) == (201, members["redirect_uris"])


METADATA_OF = {
    "oauth-authorization-server": ["", "/mcp", "/api/v1"],
    "oauth-protected-resource": ["", "/mcp"],
}


@pytest.mark.parametrize(("kind", "paths"), METADATA_OF.items())
async def test_metadata_is_at_every_address_at_which_clients_look(office: Office, kind: str, paths: list[str]) -> None:
    addresses = [f"/.well-known/{kind}{path}" for path in paths] + [f"/mcp/.well-known/{kind}"]
    answers = [await office.service.http(None).get(f"{one}{end}") for one in addresses for end in ("", "/")]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1


async def test_a_program_has_a_secret_by_default_which_is_stored_as_a_hash(office: Office) -> None:
    registered = (await register(office, redirect_uris=GOOD["redirect_uris"])).json()

    assert registered["token_endpoint_auth_method"] == "client_secret_basic"
    assert (len(registered["client_secret"]), registered["client_secret_expires_at"]) == (43, 0)
    (application,) = await office.service.database.read(ApplicationRow)
    assert registered["client_secret"] not in str(application)


@pytest.mark.parametrize(
    "address",
    [
        "http://assistant.example.com/callback",
        "https://assistant.example.com/callback#part",
        "https://ada@assistant.example.com/callback",
        "https:///callback",
        "https://assistant.example.com:0/",
        "https://assistant example.com/",
        "https://assistant.example.com/\u202e",
        "https://assistant.example.com\\@evil.example/",
        "http://127.0.0.1.evil.example/callback",
        "http://127.1/callback",
        "http://[::2]/callback",
        "javascript:alert(1)",
        "JavaScript://x/%0aalert(1)",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://assistant.example.com/1",
        "about:blank",
        "intent://scan/#Intent;end",
        "ms-officecmd:x",
        "search-ms:query=x",
        "urn:ietf:wg:oauth:2.0:oob",
        "mailto:ada@example.com",
        "ws://assistant.example.com/",
        "cursor://ada@anysphere.cursor-mcp/callback",
        "cursor://anysphere.cursor-mcp/callback#part",
        "cursor://",
        "cursor:",
        "1cursor://x/callback",
        "data:text/html,x",
        "/callback",
        "",
        "https://assistant.example.com/" + "x" * 1000,
    ],
)
async def test_an_invalid_redirect_address_is_refused(office: Office, address: str) -> None:
    answer = await register(office, **{**GOOD, "redirect_uris": [address]})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    assert answer.json()["error_description"]
    assert await office.service.database.read(ApplicationRow) == []


@pytest.mark.parametrize(
    ("members", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://assistant.example.com"}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"https://{n}.example.com/" for n in range(21)]}, "invalid_redirect_uri"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"client_name": 7}, "invalid_client_metadata"),
        ({"client_name": "x" + "\u0301\u0323" * 5}, "invalid_client_metadata"),
    ],
)
async def test_invalid_metadata_is_refused(office: Office, members: dict[str, Any], error: str) -> None:
    answer = await register(office, **{**GOOD, **members})

    assert (answer.status_code, answer.json()["error"]) == (400, error)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"null"])
async def test_a_body_that_is_not_an_object_is_refused(office: Office, body: bytes) -> None:
    answer = await office.service.http(None).post("/oidc/register", content=body)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Claude\n  Desktop ", "Claude Desktop"),
        ("evil\u202egnp", "evil gnp"),
        ("A\u200bB", "A B"),
        ("\u200b", "assistant.example.com"),
        (None, "assistant.example.com"),
    ],
)
async def test_a_name_is_shown_in_one_line_without_invisible_characters(
    office: Office, name: str | None, shown: str
) -> None:
    program = await Program(office, members={"client_name": name}).register()

    assert program.registered["client_name"] == shown


async def test_the_oldest_programs_without_approval_are_deleted(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "AT_MOST", 20)
    first = await Program(office).register()
    approved = await Program(office).register()
    tokens = await approved.connect()

    for _ in range(20):
        await Program(office).register()

    assert len(await office.service.database.read(ApplicationRow)) == 21
    assert (await first.trade("code")).status_code == 401
    assert await approved.call(tokens) == 200


async def test_registrations_of_one_address_are_limited(office: Office) -> None:
    office.service.use(quotas=replace(UNLIMITED, registrations=10))

    answers = [(await register(office, **GOOD)).status_code for _ in range(11)]

    assert answers == [201] * 10 + [429]
