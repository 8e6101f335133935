"""Administrators in a real Chromium, at a desk and on a phone: they invite a user, and create an API client."""

import re

import httpx
import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.browser.accessibility import violations
from tests.browser.app import enter, fresh_link, newcomer
from tests.browser.house import House
from tests.browser.visitor import DESKTOP, PHONE, Visitor, at_desk, overflow

pytestmark = [pytest.mark.browser, pytest.mark.installation]

HERE = "/app/organisation"


async def check(visitor: Visitor, title: str) -> None:
    """The page with that title has come, is accessible, and fits."""
    await expect(visitor.page.get_by_role("heading", level=1)).to_have_text(title)
    assert await violations(visitor.page) == []
    assert await overflow(visitor.page) == 0


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_an_administrator_sets_up_a_team(house: House, browser: Browser, screen: ViewportSize) -> None:
    name = f"Noor {screen['width']}"
    async with at_desk(browser) as visitor, at_desk(browser) as invited:
        page = visitor.page
        await page.set_viewport_size(screen)
        await enter(house, visitor, HERE, email=newcomer(house))
        pages = page.get_by_role("navigation", name="Administration")

        await pages.get_by_role("link", name="Users").click()
        await check(visitor, "Users")
        await page.get_by_role("link", name="Invite a user").click()
        await page.get_by_label("Full name").fill(name)
        await page.get_by_label("Email address").fill(f"noor{screen['width']}@newcomers.example")
        await page.get_by_role("button", name="Send invitation").click()
        await expect(page.get_by_role("status")).to_contain_text("An email with a link is on its way.")
        await invited.page.goto(fresh_link(house))
        await invited.page.get_by_role("button", name="Sign in to Newcomers").click()
        await invited.page.wait_for_url("**/app")
        await page.get_by_role("listitem").filter(has_text=name).get_by_role("link").click()
        await check(visitor, name)
        await page.get_by_role("button", name="Disable").click()
        await expect(page.get_by_role("status")).to_contain_text("Disabled.")
        await invited.page.reload()
        await invited.page.wait_for_url("**/app/sign-in*")

        await page.goto(f"{house.url}{HERE}")
        await pages.get_by_role("link", name="API clients").click()
        await page.get_by_role("link", name="New API client").click()
        await check(visitor, "New API client")
        await page.get_by_label("Name").fill(f"Payroll {screen['width']}")
        await page.get_by_role("button", name="Create").click()
        await check(visitor, "Save the secret now")
        client_id, secret = (await page.locator("code").all_inner_texts())[:2]
        async with httpx.AsyncClient(base_url=house.url, auth=(client_id, secret)) as program:
            token = await program.post("/oidc/token", data={"grant_type": "client_credentials"})
        assert token.status_code == 200
        await page.get_by_role("link", name="I’ve saved it").click()
        await check(visitor, f"Payroll {screen['width']}")

        await page.goto(f"{house.url}{HERE}")
        await pages.get_by_role("link", name="Webhooks").click()
        await page.get_by_role("button", name="Show the secret").click()
        await expect(page.locator(".secrets")).to_have_text(re.compile("^whsec_"))
        await check(visitor, "Webhooks")

        await pages.get_by_role("link", name="Organisation settings").click()
        await page.get_by_label("Time zone").fill("Australia/Sydney")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("status")).to_contain_text("Saved.")
        await check(visitor, "Organisation settings")
        assert visitor.errors == []


async def test_a_reload_after_a_secret_makes_no_other_one(house: House, desk: Visitor) -> None:
    page = await enter(house, desk, f"{HERE}/clients/new")
    await page.get_by_label("Name").fill("Reloaded")
    await page.get_by_role("button", name="Create").click()
    await page.get_by_role("link", name="I’ve saved it").click()
    await page.get_by_role("button", name="Create a new secret").click()
    client_id, secret = (await page.locator("code").all_inner_texts())[:2]

    await page.reload()

    await expect(page.get_by_role("heading", level=1)).to_have_text("Reloaded")
    async with httpx.AsyncClient(base_url=house.url, auth=(client_id, secret)) as program:
        token = await program.post("/oidc/token", data={"grant_type": "client_credentials"})
    assert token.status_code == 200
