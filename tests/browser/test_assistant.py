"""An assistant gets access and loses it: the official client, a real browser, an installation."""

import pytest

from tests.browser.app import request_link
from tests.browser.assistant import Kept, assistant
from tests.browser.house import House
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def test_an_assistant_has_access_while_its_grant_lasts(house: House, desk: Visitor) -> None:
    page, kept = desk.page, Kept()

    async def allow(address: str) -> None:
        """A visitor who is not signed in allows the access."""
        await page.goto(address)
        await page.get_by_text("Sign in to continue").wait_for()
        await page.goto(await request_link(house, page))
        await page.get_by_role("button").click()
        await page.get_by_role("heading", name="Allow Assistant of the tests to access").wait_for()
        await page.get_by_label("Upload files").uncheck()
        await page.get_by_label("Maximum recipients emailed").fill("3")
        await page.get_by_role("button", name="Allow", exact=True).click()
        await page.get_by_role("heading", name="Back").wait_for()

    async with assistant(house.url, kept, allow) as connected:
        assert not (await connected.mcp.call_tool("list_sessions", {})).is_error
        assert kept.tokens is not None
        first = kept.tokens
        assert "write:files" not in str(first.scope).split()
        connected.forget_access_token()
        assert not (await connected.mcp.call_tool("list_sessions", {})).is_error
        assert kept.tokens.refresh_token != first.refresh_token

    await page.goto(f"{house.url}/app/organisation")
    await page.get_by_role("listitem").filter(has_text="Assistant of the tests").get_by_role("button").click()
    await page.get_by_text("Access removed.").wait_for()
    for tokens in (first, kept.tokens):
        call = house.http.get("/api/v1/Sessions", headers={"Authorization": f"Bearer {tokens.access_token}"})
        assert call.status_code == 401
