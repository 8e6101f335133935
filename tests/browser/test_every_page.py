"""Every page in every state: axe-core finds nothing, nothing runs over the edge, and no browser complains."""

from collections.abc import AsyncIterator, Mapping

import pytest
from playwright.async_api import Browser, expect

from tests.browser.accessibility import CONTRAST, violations
from tests.browser.house import House
from tests.browser.scenes import SCENES
from tests.browser.visitor import DESKTOP, PHONE, Visitor, at_desk, overflow, stop_timers

pytestmark = [pytest.mark.browser, pytest.mark.installation]

TOLD: Mapping[str, tuple[str, str]] = {
    "expired": ("The deadline has passed", "ask Harbour & Finch to send it again"),
    "not-your-turn": ("It’s not your turn yet", "We’ll email you a link"),
    "generating": ("You’ve signed. Thank you!", "preparing your documents"),
    "archived": ("These documents have been withdrawn", "has withdrawn “"),
    "declined": ("You’ve declined to sign", "There’s nothing else to do"),
    "other-declined": ("These documents are no longer open", "Another recipient declined"),
    "replaced-link": ("This link doesn’t work", "the link in the most recent email"),
    "visit-ended": ("Open your link again", "Open the link in your email"),
    "signed": ("You’ve signed. Thank you!", "when everyone has signed"),
    "signed-then-declined": ("You’ve signed. Thank you!", "Another recipient declined"),
    "signed-then-expired": ("You’ve signed. Thank you!", "Not everyone signed in time"),
}
"""The title and the advice of pages for recipients who are too early or too late."""


@pytest.fixture(scope="module")
async def window(browser: Browser) -> AsyncIterator[Visitor]:
    """One page for all scenes: a page of its own takes longer to open than most scenes."""
    async with at_desk(browser) as visitor:
        yield visitor


@pytest.fixture
async def stranger(window: Visitor) -> AsyncIterator[Visitor]:
    """A visitor without cookies; fails if their browser logged errors."""
    await window.page.unroute_all()
    await window.page.goto("about:blank")
    await window.page.context.clear_cookies()
    await window.page.set_viewport_size(DESKTOP)
    await window.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    window.errors.clear()
    yield window
    await window.page.evaluate("sessionStorage.clear(); localStorage.clear()")
    assert window.errors == []


@pytest.mark.parametrize("name", SCENES)
async def test_a_page_is_accessible_and_fits_every_screen(house: House, stranger: Visitor, name: str) -> None:
    await SCENES[name](house, stranger)
    page = stranger.page

    title, advice = TOLD.get(name, ("", ""))
    await expect(page.locator("h1").first).to_contain_text(title)
    await expect(page.locator("main")).to_contain_text(advice)
    await stop_timers(page)
    for screen in (DESKTOP, PHONE):
        await page.set_viewport_size(screen)
        await page.emulate_media(color_scheme="light", reduced_motion="reduce")
        assert await violations(page) == [], screen
        assert await overflow(page) == 0, screen
    await page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert await violations(page, CONTRAST) == []  # all that the dark can change, on one screen
    assert await overflow(page) == 0
