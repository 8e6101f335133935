"""The organisation's page, and the navigation of administrators."""

import pytest

from adapters.database.tables.organisations import GrantRow
from domain.ports.database import User
from domain.shared.ids import EventId, OrganisationId, UserId
from domain.shared.roles import Role
from tests.api.callback_log import held_callback, keep_log
from tests.api.oauth.program import Program
from tests.builders import NOON, ORGANISATION, identifier
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.app.test_app_router import come_in_as

RECEIVER = "https://hooks.example.com:443"
PAGES = ("users", "clients", "webhooks", "settings", "appearance")


async def pause(office: Office, owner: OrganisationId) -> None:
    """The receiver of three callbacks of `owner` is paused."""
    held = [held_callback(EventId(identifier(f"{owner} {number}")), RECEIVER) for number in range(3)]
    await keep_log(office.service.database, owner, identifier("session"), *held)


async def test_people_of_the_own_organisation_are_shown(office: Office, ada: Visitor) -> None:
    other = User(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida", Role.SENDER)
    await office.service.users.add(other)
    await office.service.users.disable(other.user_id, NOON)

    page = await ada.look("/app/organisation")

    for shown in ("Northwind Trading", ADA.name, ADA.email, "Administrator", "Ida", "Sender", "disabled"):
        assert shown in page.words
    for hidden in (EVE.name, EVE.email):
        assert hidden not in page.words


async def test_an_administrator_sees_that_webhooks_are_paused(office: Office, ada: Visitor) -> None:
    sender = await come_in_as(office, Role.SENDER)
    assert "paused" not in (await ada.look("/app/organisation")).words

    await pause(office, ORGANISATION)

    page = await ada.look("/app/organisation")
    assert "Webhooks to a receiver are paused." in page.words
    assert "/app/organisation/webhooks" in page.links()
    assert "paused" not in (await sender.look("/app/organisation")).words


@pytest.mark.parametrize("role", Role)
async def test_only_administrators_have_a_navigation(office: Office, role: Role) -> None:
    visitor = await come_in_as(office, role)
    links = (await visitor.look("/app/organisation")).links()
    shown = {f"/app/organisation/{page}" for page in PAGES} & set(links)
    assert len(shown) == (len(PAGES) if role is Role.ADMINISTRATOR else 0)


async def test_every_page_of_administrators_leads_to_the_others(ada: Visitor) -> None:
    for here in PAGES:
        links = (await ada.look(f"/app/organisation/{here}")).links()
        assert {f"/app/organisation/{page}" for page in PAGES} <= set(links), here


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
