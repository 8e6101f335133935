"""The signing page tells the zone of the browser."""

import pytest
from playwright.async_api import Browser, expect

from cli.demo.examples import Example
from tests.browser.house import House
from tests.browser.visitor import at_desk

pytestmark = [pytest.mark.browser, pytest.mark.installation]


@pytest.mark.parametrize("zone", ["Australia/Sydney", "America/New_York"])
async def test_the_form_has_the_zone_of_the_browser(house: House, browser: Browser, zone: str) -> None:
    async with at_desk(browser, timezone_id=zone) as visitor:
        page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
        await expect(page.locator("input[name=timeZone]")).to_have_value(zone)
    assert visitor.errors == []
