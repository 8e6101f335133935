"""The reference of the API is another's program: it has to do with the policy that holds for pages of ours."""

import pytest
from playwright.async_api import expect

from tests.browser.house import House
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def test_the_reference_unfolds_under_a_policy_that_allows_nothing_inline(house: House, desk: Visitor) -> None:
    await desk.page.goto(house.url)
    async with desk.page.expect_navigation(url="**/docs") as leading:
        await desk.page.get_by_role("link", name="API reference").click()
    answer = await leading.value

    await desk.page.locator(".opblock-summary-control").first.click()

    await expect(desk.page.get_by_role("button", name="Try it out").first).to_be_visible()
    assert answer
    assert "unsafe" not in answer.headers["content-security-policy"]
