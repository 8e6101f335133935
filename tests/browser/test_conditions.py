"""Signing without scripts, with slow scripts, and with a broken connection."""

import asyncio

import pytest
from playwright.async_api import Browser, Error, Page, Route, expect

from cli.demo.examples import Example
from tests.browser.filling import NAME, agree_and_sign, fill_text, sign_typed, values_of
from tests.browser.house import House
from tests.browser.visitor import Visitor, at_desk

pytestmark = [pytest.mark.browser, pytest.mark.installation]

BUDGET = 150_000
"""Bytes of the signing page without images of pages."""


async def test_without_scripts_everything_can_be_filled_in_reviewed_and_signed(house: House, browser: Browser) -> None:
    sent = house.send(Example.NEW_STARTER)
    async with at_desk(browser, java_script_enabled=False) as visitor:
        page = await visitor.open_link(sent.link("starter"))
        await fill_text(page)
        await sign_typed(page)
        await expect(page.locator("h1")).to_have_text("You’ve signed. Thank you!")

    assert sent.now().recipients[0].status == "completed"


async def test_text_typed_before_slow_scripts_load_is_kept_and_counted(house: House, desk: Visitor) -> None:
    come = asyncio.Event()

    async def hold(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await desk.page.goto(house.send(Example.NEW_STARTER).link("starter"))
    await desk.page.route("**/assets/**/*.js", hold)
    await desk.page.click("main form button", no_wait_after=True)
    await desk.page.get_by_label("Full legal name").fill("Matilda")
    come.set()

    await expect(desk.page.locator("#progress").get_by_role("status")).to_have_text("1 of 11 filled in")
    assert await desk.page.get_by_label("Full legal name").input_value() == "Matilda"


async def test_a_connection_that_is_cut_at_any_step_costs_nothing_that_was_filled_in(
    house: House, desk: Visitor
) -> None:
    sent = house.send(Example.NEW_STARTER)
    page = await desk.open_link(sent.link("starter"))
    address = page.url
    await fill_text(page)
    await page.fill("#signature-text", NAME)
    before = await values_of(page)
    await expect(page.locator("#saved")).to_have_text("Saved")
    await page.check("#consent")

    await _press_without_connection(page, "#submit")
    await page.goto(address)
    assert await values_of(page) == before
    await page.check("#consent")
    await page.click("#submit")
    await _press_without_connection(page, "#sign")
    assert sent.now().recipients[0].status != "completed"
    await page.goto(address)
    assert await values_of(page) == before
    await page.check("#consent")
    await page.click("#submit")
    await page.click("#sign")

    await expect(page.locator("h1")).to_have_text("You’ve signed. Thank you!")
    desk.errors[:] = [error for error in desk.errors if "ERR_INTERNET_DISCONNECTED" not in error]


async def test_the_way_back_after_signing_shows_that_it_is_signed(house: House, desk: Visitor) -> None:
    sent = house.send()
    page = await desk.open_link(sent.link("client"))
    for name, value in sent.answers["client"].items():
        control = page.locator(f"[name$='/{name}']")
        await (control.check() if value == "true" else control.fill(str(value)))
    await page.click("#submit")
    await expect(page.get_by_role("alert").filter(has_text="Not signed yet: 1 thing left")).to_be_visible()
    await agree_and_sign(page)

    for _ in range(2):  # the review, and the form that was refused
        await page.go_back()
        await expect(page.locator("h1")).to_have_text("You’ve signed. Thank you!")


async def _press_without_connection(page: Page, button: str) -> None:
    """Presses while every request is cut, which the browser does not know of: `navigator.onLine` stays true."""
    await page.wait_for_selector(button)
    await page.wait_for_load_state()  # a page that answers a POST replaces its history entry, which is a navigation too
    await page.route("**/*", lambda route: route.abort("internetdisconnected"))
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        async with page.expect_navigation():
            await page.click(button)
    await page.unroute_all()


async def test_the_signing_page_is_light(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER).link("starter"))

    loaded = await page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".map((entry) => [new URL(entry.name).pathname, entry.transferSize])"
    )

    assert len(loaded) >= 3  # the page, its style, its scripts
    assert not [path for path, _ in loaded if "/page/" in path]
    assert sum(size for _, size in loaded) < BUDGET
