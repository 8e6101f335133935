"""Programs give up what they were granted."""

import httpx
import pytest

from domain.shared.ids import ClientId
from tests.api.oauth.program import Program
from tests.api.service import OWN, bearer
from tests.web.app.office import Office


async def revoke(program: Program, **members: str) -> httpx.Response:
    return await program.http.post("/oidc/revoke", data={"client_id": program.client_id, **members})


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "else"])
async def test_either_token_ends_the_grant_whatever_is_said_of_its_kind(
    program: Program, kind: str, hint: str | None
) -> None:
    tokens = await program.connect()

    answer = await revoke(program, token=tokens[kind], **({"token_type_hint": hint} if hint else {}))

    assert answer.status_code == 200
    assert await program.call(tokens) == 401
    assert (await program.refresh(tokens["refresh_token"])).status_code == 400


async def test_a_token_of_another_program_is_answered_like_one_that_is_over_and_stays(program: Program) -> None:
    tokens = await program.connect()
    other = await Program(program.office).register()

    for token in (tokens["access_token"], tokens["refresh_token"], "made-up"):
        assert (await revoke(other, token=token)).status_code == 200
    assert await program.call(tokens) == 200


async def test_a_client_that_the_operator_made_is_ended_by_nobody_here(program: Program) -> None:
    token = bearer(OWN)["Authorization"].partition(" ")[2]

    await revoke(program, token=token)

    client = await program.office.service.organisations.find_client(ClientId(OWN.client_id))
    assert client is not None
    assert client.revoked_at is None


async def test_a_program_with_a_secret_has_to_present_it(office: Office) -> None:
    program = await Program(office, members={"token_endpoint_auth_method": "client_secret_post"}).register()
    code = await program.code()
    tokens = (await program.trade(code, client_secret=program.registered["client_secret"])).json()

    refused = await revoke(program, token=tokens["refresh_token"], client_secret="wrong")

    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    assert await program.call(tokens) == 200


async def test_one_token_has_to_be_sent(program: Program) -> None:
    assert (await revoke(program)).json()["error"] == "invalid_request"


async def test_unknown_programs_are_refused(program: Program) -> None:
    assert (await revoke(program, client_id="unknown", token="x")).status_code == 401
