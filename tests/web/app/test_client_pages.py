"""The pages of API clients: a new one, its permissions and limits, its secret, its end."""

import re
from typing import Any

import httpx
import pytest

from application.scopes import DEFAULT_SCOPES, Scope
from domain.ports.database import ClientCredentials
from domain.shared.object_names import digest
from domain.shared.sending_limit import SendingLimit
from tests.api.oauth.program import Program
from tests.api.service import OWN, STRANGER
from tests.builders import NOON, ORGANISATION
from tests.web.app.office import Office, Visitor
from tests.web.html import Page

CLIENTS = "/app/organisation/clients"
NEW = f"{CLIENTS}/new"
HERE = f"{CLIENTS}/{OWN.client_id}"


async def post(visitor: Visitor, path: str, on: str = "", **form: Any) -> httpx.Response:
    """Posts a form of the page `on`, with several values of a name."""
    token = (await visitor.look(on or path)).form()["form"]
    return await visitor.browser.post(path, data={"form": token, **form})


async def clients(office: Office) -> dict[str, ClientCredentials]:
    return {client.name: client for client in await office.service.organisations.list_clients(ORGANISATION)}


async def get_token(office: Office, client_id: str, secret: str) -> httpx.Response:
    form = {"grant_type": "client_credentials"}
    return await office.browser().post("/oidc/token", auth=(client_id, secret), data=form)


def secret_of(answer: httpx.Response) -> str:
    """The secret on the page that shows it."""
    assert answer.status_code in {200, 201}, answer.text
    [secret] = re.findall(r"<code>([\w-]{43})</code>", answer.text)
    return str(secret)


async def test_a_new_client_works_with_the_secret_that_is_shown_once(office: Office, ada: Visitor) -> None:
    page = await ada.look(NEW)
    assert [box["value"] for box in page.all("input") if "checked" in box] == list(DEFAULT_SCOPES)
    form = {**page.form(), "name": "Payroll", "scope": ["read:values", "read:sessions"]}

    answer = await ada.browser.post(NEW, data=form)

    secret = secret_of(answer)
    assert answer.headers["cache-control"] == "no-store"
    client = (await clients(office))["Payroll"]
    assert client.scopes == (Scope.READ_SESSIONS, Scope.READ_VALUES)
    assert client.secret_sha256 == digest(secret.encode())
    assert secret not in str(await office.service.organisations.list_clients(None))
    assert (await get_token(office, client.client_id, secret)).status_code == 200
    for path in (CLIENTS, f"{CLIENTS}/{client.client_id}"):
        page = await ada.look(path)
        assert "Payroll" in page.words
        assert secret not in page.words

    again = await ada.browser.post(NEW, data=form)
    assert again.headers["location"] == f"{CLIENTS}/{client.client_id}?error=client-exists"
    assert (await clients(office))["Payroll"] == client


async def test_two_forms_make_two_clients_and_none_replaces_another(office: Office, ada: Visitor) -> None:
    before = await clients(office)
    for name in ("One", "Two"):
        secret_of(await ada.browser.post(NEW, data={**(await ada.look(NEW)).form(), "name": name}))
    after = await clients(office)
    assert after.keys() == {"One", "Two", *before}
    assert after == {**after, **before}


async def test_all_problems_of_a_new_client_are_shown(office: Office, ada: Visitor) -> None:
    before = await clients(office)

    answer = await post(ada, NEW, name=" ", scope=["all"])

    assert answer.status_code == 422
    words = Page(answer.text).words
    assert "Enter 1 to 200 characters in one line." in words
    assert "Select at least one permission." in words
    assert await clients(office) == before


async def test_only_clients_of_the_own_organisation_are_listed(ada: Visitor) -> None:
    page = await ada.look(CLIENTS)
    assert OWN.name in page.words
    assert STRANGER.name not in page.words


async def test_permissions_are_replaced(office: Office, ada: Visitor) -> None:
    answer = await post(ada, f"{HERE}/scopes", HERE, scope=["delete:sessions", "read:sessions"])
    assert answer.headers["location"] == f"{HERE}?done=client-scopes"
    assert (await clients(office))[OWN.name].scopes == ("read:sessions", "delete:sessions")

    refused = await post(ada, f"{HERE}/scopes", HERE)

    assert refused.status_code == 422
    assert "Select at least one permission." in Page(refused.text).words
    assert (await clients(office))[OWN.name].scopes == ("read:sessions", "delete:sessions")


async def test_limits_are_set_and_removed(office: Office, ada: Visitor) -> None:
    answer = await post(ada, f"{HERE}/limit", HERE, per_day=" 50 ", domains="@Northwind.example; example.com")

    assert answer.headers["location"] == f"{HERE}?done=client-limit"
    limit = SendingLimit(recipients_per_day=50, domains=("northwind.example", "example.com"))
    assert await office.service.budgets.find(OWN.client_id) == limit
    page = await ada.look(HERE)
    assert [page.input(name)["value"] for name in ("per_day", "domains")] == ["50", "northwind.example, example.com"]
    assert "0 recipients emailed today" in page.words

    refused = await post(ada, f"{HERE}/limit", HERE, per_day="many", domains="nowhere")
    assert refused.status_code == 422
    for shown in ("Enter a whole number from 0 to 100,000", "isn’t a domain"):
        assert shown in Page(refused.text).words
    assert await office.service.budgets.find(OWN.client_id) == limit

    await post(ada, f"{HERE}/limit", HERE, per_day="", domains="")
    assert await office.service.budgets.find(OWN.client_id) is None


async def test_a_new_secret_replaces_the_old_one(office: Office, ada: Visitor) -> None:
    first = secret_of(await post(ada, f"{HERE}/rotate", HERE))
    second = secret_of(await post(ada, f"{HERE}/rotate", HERE))

    assert (await get_token(office, OWN.client_id, first)).status_code == 401
    assert (await get_token(office, OWN.client_id, second)).status_code == 200


async def test_a_revoked_client_is_refused_and_stays_as_it_is(office: Office, ada: Visitor) -> None:
    http = office.service.http(OWN)
    assert (await http.get("/api/v1/Sessions")).status_code == 200

    answer = await post(ada, f"{HERE}/revoke", HERE)

    assert answer.headers["location"] == f"{HERE}?done=client-revoked"
    assert (await http.get("/api/v1/Sessions")).status_code == 401
    page = await ada.look(HERE)
    assert "revoked" in page.words
    assert [form["action"] for form in page.all("form")] == ["/app/sign-out"]
    revoked = (await clients(office))[OWN.name]
    for act, form in (("rotate", {}), ("scopes", {"scope": "read:sessions"})):
        refused = await post(ada, f"{HERE}/{act}", NEW, **form)
        assert refused.headers["location"] == f"{HERE}?error=client-unchangeable"
    assert (await clients(office))[OWN.name] == revoked


@pytest.mark.parametrize("act", ["", "/scopes", "/limit", "/rotate", "/revoke"])
async def test_a_client_of_another_organisation_is_not_found(office: Office, ada: Visitor, act: str) -> None:
    theirs = f"{CLIENTS}/{STRANGER.client_id}"
    answer = await (post(ada, f"{theirs}{act}", NEW) if act else ada.browser.get(theirs))
    assert answer.status_code == 404
    client = await office.service.organisations.find_client(STRANGER.client_id)
    assert client is not None
    assert (client.secret_sha256, client.revoked_at) == (STRANGER.secret_sha256, None)


async def test_a_connected_app_has_a_page_without_a_secret(office: Office, ada: Visitor) -> None:
    program = await Program(office).register()
    await program.connect(ada)
    [grant] = await office.service.grants.list(ORGANISATION, NOON)
    here = f"{CLIENTS}/{grant.client.client_id}"
    assert here in (await ada.look("/app/organisation")).links()
    assert here not in (await ada.look(CLIENTS)).links()

    page = await ada.look(here)

    assert f"{here}/rotate" not in [form["action"] for form in page.all("form")]
    refused = await post(ada, f"{here}/rotate", here)
    assert refused.headers["location"] == f"{here}?error=client-unchangeable"
