"""The connected apps on the organisation's page."""

from adapters.database.tables.organisations import GrantRow
from tests.api.oauth.program import Program
from tests.web.app.office import ADA, EVE, Office, Visitor


async def test_the_list_shows_each_grant_with_its_approver_and_limits(program: Program, ada: Visitor) -> None:
    await program.connect(form={"per_day": "5", "domains": "example.com"})

    words = (await ada.look("/app/organisation")).words

    for shown in (
        "Tidy <Assistant>",
        "See sessions",
        "at most 5 recipients per day (0 today)",
        "only at example.com",
        f"Approved by {ADA.name}",
    ):
        assert shown in words
    assert "Tidy" not in (await (await program.office.come_in(EVE)).look("/app/organisation")).words


async def test_only_the_own_organisation_ends_a_grant_and_its_tokens_end_with_the_next_call(
    program: Program, ada: Visitor
) -> None:
    tokens, eve = await program.connect(), await program.office.come_in(EVE)
    (grant,) = await program.office.service.database.read(GrantRow)

    foreign = await eve.press("/app/organisation/end", client=grant.client_id)
    assert foreign.headers["location"] == "/app/organisation?error=no-grant"
    assert await program.call(tokens) == 200
    ended = await ada.press("/app/organisation/end", client=grant.client_id)

    assert ended.headers["location"] == "/app/organisation?done=ended"
    assert await program.call(tokens) == 401
    assert (await program.refresh(tokens["refresh_token"])).status_code == 400
    assert "Tidy" not in (await ada.look("/app/organisation")).words
    again = await ada.press("/app/organisation/end", client=grant.client_id)
    assert again.headers["location"] == "/app/organisation?error=no-grant"


async def test_the_page_of_the_organisation_does_not_end_what_the_operator_made(office: Office, ada: Visitor) -> None:
    clients = await office.service.organisations.list_clients(None)
    for client in clients:
        await ada.press("/app/organisation/end", client=client.client_id)

    assert await office.service.organisations.list_clients(None) == clients
    assert {client.revoked_at for client in clients} == {None}
