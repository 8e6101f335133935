"""Authorization requests of programs, and the redirects that answer them."""

from typing import Any

import pytest

from adapters.database.tables.organisations import ApprovalRow
from tests.api.oauth.program import REDIRECT, STATE, Program, led_to, parameters
from tests.api.service import BASE_URL
from tests.web.app.office import Office
from tests.web.html import Page


async def test_an_approval_redirects_with_code_state_and_issuer(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question())

    sent = parameters(answer)
    assert (answer.status_code, led_to(answer)) == (303, REDIRECT)
    assert (sent.keys(), sent["state"], sent["iss"]) == ({"code", "state", "iss"}, STATE, BASE_URL)
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


async def test_a_redirect_keeps_the_bytes_of_the_state_and_the_query_of_the_address(office: Office) -> None:
    program = await Program(office, redirect=f"{REDIRECT}?tenant=7").register()
    path = program.question(state=None) + "&state=%FF%00%C3%BC"

    answer = await program.decided(await office.come_in(), path)

    assert answer.headers["location"].startswith(f"{REDIRECT}?tenant=7&code=")
    assert "state=%FF%00%C3%BC&" in answer.headers["location"]


async def test_a_refusal_redirects_without_a_code(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(), decision="deny")

    sent = parameters(answer)
    assert (led_to(answer), sent["error"], sent["state"], sent["iss"]) == (REDIRECT, "access_denied", STATE, BASE_URL)
    assert await program.office.service.database.read(ApprovalRow) == []


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "S512"}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unauthorized_client"),
        ({"response_type": None}, "invalid_request"),
        ({"resource": "https://elsewhere.example.com"}, "invalid_target"),
        ({"resource": [f"{BASE_URL}/mcp", f"{BASE_URL}/api/v1"]}, "invalid_target"),
    ],
)
async def test_an_invalid_request_is_redirected_with_its_error(
    program: Program, changes: dict[str, Any], error: str
) -> None:
    await program.connect()

    answer = await (await program.office.come_in()).browser.get(program.question(**changes))

    sent = parameters(answer)
    assert (answer.status_code, led_to(answer), sent["error"]) == (303, REDIRECT, error)
    assert (sent["state"], sent["iss"]) == (STATE, BASE_URL)
    assert sent["error_description"]


async def test_the_error_of_an_unapproved_program_is_a_page_with_a_link(program: Program) -> None:
    page = await (await program.office.come_in()).look(program.question(code_challenge="short"), 400)

    assert page.all("a")[-1]["href"].startswith(f"{REDIRECT}?error=invalid_request&")  # type: ignore[union-attr]
    assert "Back to assistant.example.com" in page.words


@pytest.mark.parametrize("address", ["http://127.0.0.1:7777/callback", "http://localhost/", "cursor://app/callback"])
async def test_a_program_that_waits_on_the_users_machine_gets_its_error_at_once(office: Office, address: str) -> None:
    program = await Program(office, redirect=address).register()

    for browser in (office.browser(), (await office.come_in()).browser):
        answer = await browser.get(program.question(code_challenge=None))
        assert (answer.status_code, led_to(answer)) == (303, address)
        assert "code_challenge_method=S256" in parameters(answer)["error_description"]


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uri": "https://assistant.example.com/callback/"},
        {"redirect_uri": "https://assistant.example.com/callback?x=1"},
        {"redirect_uri": "https://assistant.example.com:8443/callback"},
        {"redirect_uri": "https://ASSISTANT.example.com/callback"},
        {"redirect_uri": "https://assistant.example.com.evil.example/callback"},
        {"redirect_uri": "http://assistant.example.com/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": ["https://assistant.example.com/callback", "https://evil.example.com/"]},
        {"client_id": "0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01"},
        {"client_id": "nobody"},
        {"client_id": None},
    ],
)
async def test_without_a_registered_program_and_address_nothing_is_redirected(
    program: Program, changes: dict[str, Any]
) -> None:
    await program.connect()

    answer = await (await program.office.come_in()).browser.get(program.question(**changes))

    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "evil" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
async def test_a_loopback_address_matches_with_any_port_but_not_with_another_path(office: Office, host: str) -> None:
    program = await Program(office, redirect=f"http://{host}/callback").register()
    program.redirect = f"http://{host}:54321/callback"

    assert await program.call(await program.connect()) == 200
    program.redirect = f"http://{host}:54321/other"
    assert (await (await office.come_in()).browser.get(program.question())).status_code == 400


async def test_the_only_redirect_address_is_the_default(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(redirect_uri=None))

    assert led_to(answer) == REDIRECT


@pytest.mark.parametrize("scope", [None, "", " ", "claudeai", "openid  offline_access"])
async def test_unknown_scopes_are_ignored_and_the_default_is_all_but_values(
    program: Program, scope: str | None
) -> None:
    tokens = await program.connect(scope="openid offline_access  read:sessions ")
    page = await (await program.office.come_in()).look(program.question(scope=scope))

    assert tokens["scope"] == "read:sessions"
    boxes = [box for box in page.all("input") if box.get("name") == "scope"]
    assert len(boxes) == 6
    assert [box["value"] for box in boxes if "checked" not in box] == ["delete:sessions"]


@pytest.mark.parametrize(
    ("address", "shown", "source"),
    [
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:", "cursor:"),
        ("com.example.app:/oauth2redirect", "com.example.app:", "com.example.app:"),
        ("vscode://vscode.github-authentication/did-authenticate?windowId=1", "vscode:", "vscode:"),
    ],
)
async def test_a_program_with_a_scheme_of_its_own_gets_its_code(
    office: Office, address: str, shown: str, source: str
) -> None:
    program = await Program(office, redirect=address).register()
    visitor = await office.come_in()

    page = await visitor.browser.get(program.question())
    assert f"form-action 'self' {source}" in page.headers["content-security-policy"]
    assert f"{shown}, an app on the device you’re using" in Page(page.text).words
    answer = await program.decided(visitor, program.question())
    assert answer.headers["location"].startswith(address)
    assert (await program.trade(parameters(answer)["code"])).status_code == 200


@pytest.mark.parametrize(
    "named",
    [
        "cursor://anysphere.cursor-mcp/oauth/other",
        "cursor://anysphere.cursor-mcp:1/oauth/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback/",
        "CURSOR://anysphere.cursor-mcp/oauth/callback",
        "cursor2://anysphere.cursor-mcp/oauth/callback",
    ],
)
async def test_an_address_with_a_scheme_of_a_program_is_compared_exactly(office: Office, named: str) -> None:
    program = await Program(office, redirect="cursor://anysphere.cursor-mcp/oauth/callback").register()
    assert (await (await office.come_in()).browser.get(program.question(redirect_uri=named))).status_code == 400


@pytest.mark.parametrize(
    ("registered", "named"),
    [
        ("http://127.0.0.1", "http://127.0.0.1:33418/"),
        ("http://127.0.0.1/", "http://127.0.0.1:33418"),
        ("http://localhost:33418/callback", "http://localhost:50000/callback"),
        ("http://[::1]:1/callback", "http://[::1]/callback"),
    ],
)
async def test_a_loopback_address_may_have_any_port(office: Office, registered: str, named: str) -> None:
    program = await Program(office, redirect=registered).register()
    assert (await (await office.come_in()).browser.get(program.question(redirect_uri=named))).status_code == 200
