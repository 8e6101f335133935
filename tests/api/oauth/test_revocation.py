"""Revocation of grants by their programs (RFC 7009)."""

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
async def test_either_token_revokes_the_grant_whatever_the_hint(program: Program, kind: str, hint: str | None) -> None:
    tokens = await program.connect()

    answer = await revoke(program, token=tokens[kind], **({"token_type_hint": hint} if hint else {}))

    assert answer.status_code == 200
    assert await program.call(tokens) == 401
    assert (await program.refresh(tokens["refresh_token"])).status_code == 400


async def test_tokens_of_other_programs_and_of_operators_clients_are_not_revoked(program: Program) -> None:
    tokens = await program.connect()
    other = await Program(program.office).register()

    for token in (tokens["access_token"], tokens["refresh_token"], "made-up"):
        assert (await revoke(other, token=token)).status_code == 200
    assert await program.call(tokens) == 200
    await revoke(program, token=bearer(OWN)["Authorization"].partition(" ")[2])
    client = await program.office.service.organisations.find_client(ClientId(OWN.client_id))
    assert client is not None
    assert client.revoked_at is None


async def test_a_program_with_a_secret_has_to_present_it(office: Office) -> None:
    program = await Program(office, members={"token_endpoint_auth_method": "client_secret_post"}).register()
    tokens = (await program.trade(await program.code(), client_secret=program.registered["client_secret"])).json()

    refused = await revoke(program, token=tokens["refresh_token"], client_secret="wrong")

    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    assert await program.call(tokens) == 200


async def test_a_request_names_one_token_and_a_known_program(program: Program) -> None:
    assert (await revoke(program)).json()["error"] == "invalid_request"
    assert (await revoke(program, client_id="unknown", token="x")).status_code == 401
