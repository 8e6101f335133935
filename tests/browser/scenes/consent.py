"""Apps that request access, and those that have it."""

from urllib.parse import urlencode

import httpx

from tests import http_requests
from tests.api.oauth.program import VERIFIER, challenge
from tests.browser.app import enter
from tests.browser.house import House
from tests.browser.visitor import Visitor

HOSTED = "https://assistant.example.com/callback"
LOCAL = "http://127.0.0.1/callback"
_ALL = "read:sessions write:sessions delete:sessions read:templates write:templates write:files"


def question(house: House, redirect: str, **changes: str) -> str:
    """The path of the consent page of a newly registered app."""
    members = {"redirect_uris": [redirect], "client_name": "Tidy Assistant", "token_endpoint_auth_method": "none"}
    registered = house.http.post("/oidc/register", json=members).raise_for_status().json()
    asked = {
        "response_type": "code",
        "client_id": registered["client_id"],
        "redirect_uri": redirect,
        "scope": _ALL,
        "state": "x",
        "code_challenge": "c" * 43,
        "code_challenge_method": "S256",
        **changes,
    }
    return f"/app/authorize?{urlencode(asked)}"


async def asks(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, question(house, HOSTED))


async def asks_from_the_same_device(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, question(house, LOCAL, scope="read:sessions read:templates"))


async def asks_and_is_answered_wrongly(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, question(house, HOSTED))
    for box in await page.get_by_role("checkbox").all():
        await box.uncheck()
    await page.get_by_label("Create and send sessions").check()
    await page.get_by_label("Maximum recipients emailed").fill("many")
    await page.get_by_label("Only to addresses").fill("northwind")
    await page.get_by_role("button", name="Allow", exact=True).click()
    await page.wait_for_selector("#per_day-problem")


async def gets_nothing(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, question(house, HOSTED))
    for box in await page.get_by_role("checkbox").all():
        await box.uncheck()
    await page.get_by_role("button", name="Allow", exact=True).click()
    await page.wait_for_selector("#scope-problem")


async def asks_wrongly(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, question(house, HOSTED, scope="everything"))


async def not_known(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, question(house, HOSTED, client_id="nobody"))


async def let_in(house: House, visitor: Visitor) -> None:
    """The page of the organisation with an app that has just been approved."""
    path = question(house, HOSTED, code_challenge=challenge(VERIFIER))
    page = await enter(house, visitor, path)
    await page.route(f"{HOSTED}?**", lambda route: route.fulfill(body="back at the program"))
    await page.get_by_label("Only to addresses").fill("northwind.example, example.com")
    async with page.expect_request(f"{HOSTED}?**") as asked:
        await page.get_by_role("button", name="Allow", exact=True).click()
    form = {
        "grant_type": "authorization_code",
        "code": httpx.URL((await asked.value).url).params["code"],
        "redirect_uri": HOSTED,
        "code_verifier": VERIFIER,
        "client_id": httpx.URL(path).params["client_id"],
    }
    async with httpx.AsyncClient(base_url=house.url, trust_env=False, timeout=http_requests.PATIENCE) as program:
        (await program.post("/oidc/token", data=form)).raise_for_status()
    await page.goto(f"{house.url}/app/organisation")
