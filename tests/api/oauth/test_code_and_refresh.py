"""Codes and refresh tokens: every rule that protects, tried against."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from adapters.database.tables.organisations import ApprovalRow, GrantRow, RefreshTokenRow
from application.oauth.code_and_refresh import REFRESH_LIFETIME
from domain.shared.ids import ClientId
from tests.api.oauth.program import Program
from tests.api.service import BASE_URL, OWN, TOKENS, session_request
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office

PASSED = timedelta(seconds=-1)


def end(row: ApprovalRow | RefreshTokenRow) -> None:
    row.ends_at = datetime.now(UTC) + PASSED


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


async def test_a_code_with_its_verifier_brings_tokens_that_open_the_api(program: Program) -> None:
    tokens = await program.connect()

    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
    assert tokens["scope"] == "read:sessions write:sessions"
    assert await program.call(tokens) == 200


async def test_tokens_are_never_stored_on_the_way(program: Program) -> None:
    answer = await program.trade(await program.code())

    assert answer.headers["cache-control"] == "no-store"


async def test_tokens_allow_what_was_approved_and_no_more(program: Program) -> None:
    tokens = await program.connect(form={"scope": ["read:templates"]}, scope="read:sessions read:templates")

    assert tokens["scope"] == "read:templates"
    assert await program.call(tokens) == 403
    assert await program.call(tokens, "/api/v1/Templates") == 200


async def test_calls_are_those_of_a_client_of_the_organisation_with_the_name_of_the_program(program: Program) -> None:
    tokens = await program.connect()
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}

    made = (await program.http.post("/api/v1/Session", json=session_request(), headers=headers)).json()

    events = (await program.http.get(f"/api/v1/Session/{made['sessionId']}/Events", headers=headers)).json()["events"]
    actor = events[0]["actor"]
    client = await program.office.service.organisations.find_client(ClientId(actor["id"]))
    assert client is not None
    assert (actor["kind"], client.name, client.organisation_id) == ("client", "Assistant", ORGANISATION)


async def test_what_was_approved_is_recorded_with_who_approved_it(program: Program) -> None:
    await program.connect()

    (grant,) = await program.office.service.grants.list(ORGANISATION, datetime.now(UTC))

    assert (grant.approved_by, grant.application_id) == (ADA, program.client_id)


@pytest.mark.parametrize("verifier", ["another-verifier-that-is-long-enough-to-be-one-of-them", "", None])
async def test_without_the_verifier_a_code_brings_nothing(program: Program, verifier: str | None) -> None:
    code = await program.code()

    answer = await program.trade(code, code_verifier=verifier)

    assert answer.status_code == 400
    assert answer.json()["error"] in {"invalid_grant", "invalid_request"}


async def test_a_code_that_comes_again_ends_what_it_brought(program: Program) -> None:
    code = await program.code()
    tokens = (await program.trade(code)).json()

    again = await program.trade(code)

    assert refused(again) == (400, "invalid_grant")
    assert await program.call(tokens) == 401
    assert refused(await program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")


async def test_a_used_code_without_its_verifier_ends_nothing(program: Program) -> None:
    code = await program.code()
    tokens = (await program.trade(code)).json()

    await program.trade(code, code_verifier="another-verifier-that-is-long-enough-to-be-one-of-them")

    assert await program.call(tokens) == 200


async def test_a_code_is_over_after_its_time(program: Program) -> None:
    code = await program.code()
    await program.office.service.database.edit(ApprovalRow, end)

    assert refused(await program.trade(code)) == (400, "invalid_grant")


async def test_a_code_is_for_the_program_that_asked(program: Program) -> None:
    other = await Program(program.office).register()

    assert refused(await other.trade(await program.code())) == (400, "invalid_grant")


async def test_a_code_is_for_the_address_that_it_was_sent_to(office: Office) -> None:
    addresses = ["https://assistant.example.com/callback", "https://assistant.example.com/other"]
    program = await Program(office, members={"redirect_uris": addresses}).register()

    answer = await program.trade(await program.code(), redirect_uri=addresses[1])

    assert answer.status_code == 400


async def test_a_code_of_nobodys_making_brings_nothing(program: Program) -> None:
    assert refused(await program.trade("made-up")) == (400, "invalid_grant")


async def test_an_unknown_program_is_told_to_register(program: Program) -> None:
    code = await program.code()

    for unknown in ("unknown", OWN.client_id, program.client_id.upper()):
        assert refused(await program.trade(code, client_id=unknown)) == (401, "invalid_client")


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_program_with_a_secret_has_to_present_it(office: Office, method: str) -> None:
    program = await Program(office, members={"token_endpoint_auth_method": method}).register()
    code = await program.code()

    for wrong in (None, "", "wrong"):
        assert refused(await program.trade(code, client_secret=wrong)) == (401, "invalid_client")
    assert (await program.trade(code, client_secret=program.registered["client_secret"])).status_code == 200


async def test_a_refresh_token_brings_the_next_ones_once(program: Program) -> None:
    first = await program.connect()

    second = (await program.refresh(first["refresh_token"])).json()
    third = (await program.refresh(second["refresh_token"])).json()

    assert len({one["refresh_token"] for one in (first, second, third)}) == 3
    assert [await program.call(one) for one in (first, second, third)] == [200, 200, 200]


async def test_a_refresh_token_that_comes_again_ends_everything(program: Program) -> None:
    first = await program.connect()
    second = (await program.refresh(first["refresh_token"])).json()

    again = await program.refresh(first["refresh_token"])

    assert refused(again) == (400, "invalid_grant")
    assert await program.call(second) == 401
    assert refused(await program.refresh(second["refresh_token"])) == (400, "invalid_grant")


async def test_a_refresh_token_is_for_the_program_that_got_it(program: Program) -> None:
    tokens = await program.connect()
    other = await Program(program.office).register()

    assert refused(await other.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert await program.call(tokens) == 200


async def test_a_refresh_token_is_over_after_a_month_without_use(program: Program) -> None:
    tokens = await program.connect()
    (token,) = await program.office.service.database.read(RefreshTokenRow)
    assert token.ends_at - token.issued_at == REFRESH_LIFETIME
    await program.office.service.database.edit(RefreshTokenRow, end)

    assert refused(await program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")


async def test_fewer_scopes_may_be_asked_for_and_not_more(program: Program) -> None:
    tokens = await program.connect()

    fewer = (await program.refresh(tokens["refresh_token"], scope="read:sessions")).json()
    more = await program.refresh(fewer["refresh_token"], scope="read:sessions write:files")
    again = (await program.refresh(fewer["refresh_token"])).json()

    assert fewer["scope"] == "read:sessions"
    assert refused(more) == (400, "invalid_scope")
    assert again["scope"] == "read:sessions write:sessions"


async def test_whoever_is_disabled_takes_along_what_they_approved(program: Program) -> None:
    code, tokens = await program.code(), await program.connect()

    await program.office.service.users.disable(ADA.user_id, datetime.now(UTC))

    assert await program.call(tokens) == 401
    assert refused(await program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert refused(await program.trade(code)) == (400, "invalid_grant")


async def test_a_grant_is_of_the_organisation_of_who_approved_it(program: Program) -> None:
    eve = await program.office.come_in(EVE)
    made = await program.office.service.create()

    tokens = await program.connect(eve)

    assert await program.call(tokens, f"/api/v1/Session/{made['sessionId']}") == 404


async def test_a_token_says_what_it_is_for_and_is_good_at_api_and_tools(program: Program) -> None:
    tools = f"{BASE_URL}/mcp"

    tokens = (await program.trade(await program.code(resource=tools), resource=tools)).json()

    now = datetime.now(UTC)
    assert TOKENS.read(tokens["access_token"], now).scopes == ("read:sessions", "write:sessions")
    assert await program.call(tokens) == 200
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {
        "Authorization": f"Bearer {tokens['access_token']}", "Accept": "application/json, text/event-stream"
    }  # fmt: skip
    assert (await program.http.post("/mcp", json=listed, headers=headers)).status_code == 200


@pytest.mark.parametrize("resource", ["https://elsewhere.example.com/mcp", f"{BASE_URL}/api/v1"])
async def test_a_token_is_not_to_be_had_for_another_resource_than_was_asked_for(
    program: Program, resource: str
) -> None:
    code = await program.code(resource=f"{BASE_URL}/mcp")

    assert refused(await program.trade(code, resource=resource)) == (400, "invalid_target")


async def test_a_grant_has_no_secret_of_its_own(program: Program) -> None:
    await program.connect()
    (grant,) = await program.office.service.database.read(GrantRow)

    for secret in ("", "x"):
        answer = await program.http.post(
            "/oidc/token", data={"grant_type": "client_credentials"}, auth=(grant.client_id, secret)
        )
        assert answer.status_code == 401
