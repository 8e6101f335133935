"""The rules of codes and refresh tokens."""

from asyncio import gather
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import httpx
import pytest

from adapters.database.tables.organisations import ApprovalRow, GrantRow, RefreshTokenRow
from application.oauth.user_tokens import GRACE, REFRESH_LIFETIME
from domain.shared.ids import ClientId
from tests.api.oauth.program import Program
from tests.api.service import BASE_URL, OWN, TOKENS, session_request
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office

SCOPES = "read:sessions write:sessions"
OTHER_VERIFIER = "another-verifier-that-is-long-enough-to-be-one-of-them"
GONE = (400, "invalid_grant")


def expire(row: ApprovalRow | RefreshTokenRow) -> None:
    row.ends_at = datetime.now(UTC) - timedelta(seconds=1)


def error_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def authorization(tokens: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens['access_token']}"}


async def test_a_code_with_its_verifier_returns_tokens_of_a_client_named_after_the_program(program: Program) -> None:
    answer = await program.trade(await program.code())
    tokens = answer.json()

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, SCOPES)
    assert await program.call(tokens) == 200
    headers = authorization(tokens)
    made = (await program.http.post("/api/v1/Session", json=session_request(), headers=headers)).json()
    events = (await program.http.get(f"/api/v1/Session/{made['sessionId']}/Events", headers=headers)).json()["events"]
    actor = events[0]["actor"]
    client = await program.office.service.organisations.find_client(ClientId(actor["id"]))
    assert client is not None
    assert (actor["kind"], client.name, client.organisation_id) == ("client", "Assistant", ORGANISATION)
    (grant,) = await program.office.service.grants.list(ORGANISATION, datetime.now(UTC))
    assert (grant.approved_by, grant.application_id) == (ADA, program.client_id)


async def test_tokens_allow_the_approved_scopes_only(program: Program) -> None:
    tokens = await program.connect(form={"scope": ["read:templates"]}, scope="read:sessions read:templates")

    assert tokens["scope"] == "read:templates"
    assert [await program.call(tokens), await program.call(tokens, "/api/v1/Templates")] == [403, 200]


@pytest.mark.parametrize("verifier", [OTHER_VERIFIER, "", None])
async def test_a_code_without_its_verifier_is_refused(program: Program, verifier: str | None) -> None:
    answer = await program.trade(await program.code(), code_verifier=verifier)

    assert answer.status_code == 400
    assert answer.json()["error"] in {"invalid_grant", "invalid_request"}


async def test_a_second_use_of_a_code_revokes_its_tokens_if_it_has_the_verifier(program: Program) -> None:
    code = await program.code()
    tokens = (await program.trade(code)).json()

    await program.trade(code, code_verifier=OTHER_VERIFIER)
    assert await program.call(tokens) == 200
    assert error_of(await program.trade(code)) == GONE
    assert await program.call(tokens) == 401
    assert error_of(await program.refresh(tokens["refresh_token"])) == GONE


async def test_an_expired_a_foreign_and_an_unknown_code_are_refused(program: Program) -> None:
    other = await Program(program.office).register()

    assert error_of(await other.trade(await program.code())) == GONE
    assert error_of(await program.trade("made-up")) == GONE
    code = await program.code()
    await program.office.service.database.edit(ApprovalRow, expire)
    assert error_of(await program.trade(code)) == GONE


async def test_a_code_is_bound_to_its_redirect_address(office: Office) -> None:
    addresses = ["https://assistant.example.com/callback", "https://assistant.example.com/other"]
    program = await Program(office, members={"redirect_uris": addresses}).register()

    assert (await program.trade(await program.code(), redirect_uri=addresses[1])).status_code == 400


async def test_an_unknown_program_is_refused(program: Program) -> None:
    code = await program.code()

    for unknown in ("unknown", OWN.client_id, program.client_id.upper()):
        assert error_of(await program.trade(code, client_id=unknown)) == (401, "invalid_client")


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_program_with_a_secret_has_to_present_it(office: Office, method: str) -> None:
    program = await Program(office, members={"token_endpoint_auth_method": method}).register()
    code = await program.code()

    for wrong in (None, "", "wrong"):
        assert error_of(await program.trade(code, client_secret=wrong)) == (401, "invalid_client")
    assert (await program.trade(code, client_secret=program.registered["client_secret"])).status_code == 200


def use_long_ago(row: RefreshTokenRow) -> None:
    row.used_at = row.used_at and row.used_at - GRACE


async def test_a_refresh_token_works_once_and_its_second_use_revokes_the_grant(program: Program) -> None:
    first = await program.connect()
    second = (await program.refresh(first["refresh_token"])).json()
    third = (await program.refresh(second["refresh_token"])).json()

    assert len({one["refresh_token"] for one in (first, second, third)}) == 3
    assert [await program.call(one) for one in (first, second, third)] == [200, 200, 200]
    await program.office.service.database.edit(RefreshTokenRow, use_long_ago)
    assert error_of(await program.refresh(first["refresh_token"])) == GONE
    assert await program.call(third) == 401
    assert error_of(await program.refresh(third["refresh_token"])) == GONE


async def test_a_refresh_that_is_repeated_within_a_minute_has_the_same_successor(program: Program) -> None:
    first = await program.connect()
    answers = await gather(*(program.refresh(first["refresh_token"]) for _ in range(3)))
    answers.append(await program.refresh(first["refresh_token"]))

    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1
    assert [await program.call(answer.json()) for answer in answers] == [200] * 4
    third = (await program.refresh(answers[0].json()["refresh_token"])).json()
    late = (await program.refresh(first["refresh_token"])).json()
    assert (await program.refresh(late["refresh_token"])).json()["refresh_token"] == third["refresh_token"]


async def test_the_successor_of_a_refresh_token_cannot_be_computed_from_it(program: Program) -> None:
    first = await program.connect()
    second = (await program.refresh(first["refresh_token"])).json()["refresh_token"]
    assert len(second) == len(first["refresh_token"])
    assert second not in {
        urlsafe_b64encode(sha256(text.encode()).digest()).decode().rstrip("=")
        for text in (first["refresh_token"], f"undersign.refresh/{first['refresh_token']}")
    }


@pytest.mark.parametrize(
    "scope", ["", " ", "offline_access", f"{SCOPES} offline_access", f"  {SCOPES.replace(' ', '   ')} ", "claudeai"]
)
async def test_a_refresh_ignores_scopes_that_the_service_does_not_have(program: Program, scope: str) -> None:
    tokens = await program.connect()
    answer = await program.refresh(tokens["refresh_token"], scope=scope)
    assert (answer.status_code, answer.json()["scope"]) == (200, SCOPES)


async def test_a_refresh_token_is_bound_to_its_program(program: Program) -> None:
    tokens = await program.connect()
    other = await Program(program.office).register()

    assert error_of(await other.refresh(tokens["refresh_token"])) == GONE
    assert await program.call(tokens) == 200


async def test_an_unused_refresh_token_expires_after_its_lifetime(program: Program) -> None:
    tokens = await program.connect()
    (token,) = await program.office.service.database.read(RefreshTokenRow)
    assert token.ends_at - token.issued_at == REFRESH_LIFETIME
    await program.office.service.database.edit(RefreshTokenRow, expire)

    assert error_of(await program.refresh(tokens["refresh_token"])) == GONE


async def test_a_refresh_can_request_fewer_scopes_and_not_more(program: Program) -> None:
    tokens = await program.connect()

    fewer = (await program.refresh(tokens["refresh_token"], scope="read:sessions")).json()
    more = await program.refresh(fewer["refresh_token"], scope="read:sessions write:files")
    again = (await program.refresh(fewer["refresh_token"])).json()

    assert (fewer["scope"], error_of(more), again["scope"]) == ("read:sessions", (400, "invalid_scope"), SCOPES)


async def test_disabling_a_user_ends_the_grants_that_they_approved(program: Program) -> None:
    code, tokens = await program.code(), await program.connect()

    await program.office.service.users.disable(ADA.user_id, datetime.now(UTC))

    assert await program.call(tokens) == 401
    assert error_of(await program.refresh(tokens["refresh_token"])) == GONE
    assert error_of(await program.trade(code)) == GONE


async def test_a_grant_belongs_to_the_organisation_of_the_approving_user(program: Program) -> None:
    made = await program.office.service.create()

    tokens = await program.connect(await program.office.come_in(EVE))

    assert await program.call(tokens, f"/api/v1/Session/{made['sessionId']}") == 404


async def test_a_token_for_the_tools_is_valid_at_the_api_and_the_tools(program: Program) -> None:
    tools = f"{BASE_URL}/mcp"

    tokens = (await program.trade(await program.code(resource=tools), resource=tools)).json()

    assert TOKENS.read(tokens["access_token"], datetime.now(UTC)).scopes == tuple(SCOPES.split())
    assert await program.call(tokens) == 200
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {**authorization(tokens), "Accept": "application/json, text/event-stream"}
    assert (await program.http.post("/mcp", json=message, headers=headers)).status_code == 200


@pytest.mark.parametrize("resource", ["https://elsewhere.example.com/mcp", f"{BASE_URL}/api/v1"])
async def test_a_token_for_another_than_the_approved_resource_is_refused(program: Program, resource: str) -> None:
    code = await program.code(resource=f"{BASE_URL}/mcp")

    assert error_of(await program.trade(code, resource=resource)) == (400, "invalid_target")


async def test_the_client_of_a_grant_has_no_secret(program: Program) -> None:
    await program.connect()
    (grant,) = await program.office.service.database.read(GrantRow)

    for secret in ("", "x"):
        form = {"grant_type": "client_credentials"}
        assert (await program.http.post("/oidc/token", data=form, auth=(grant.client_id, secret))).status_code == 401
