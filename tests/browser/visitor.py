"""Visitors with browsers of two screen sizes, which must log no errors."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page, ViewportSize

DESKTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
PATIENCE = 180_000
"""Milliseconds that a step may take on a busy machine."""

_PHONE_DEVICE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Visitor:
    """One person's browser with cookies of its own. `errors` collects what the console and scripts complain of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if _is_complaint(line.type, line.text) else None)

    async def open_link(self, link: str) -> Page:
        """Opens the link of an invitation and presses its button; the page behind it, as soon as all of it is there."""
        await self.page.goto(link)
        async with self.page.expect_navigation():
            await self.page.click("main form button")
        return self.page


def _is_complaint(kind: str, text: str) -> bool:
    # A refused form is answered with 4xx, which the console repeats; pages tell people what is wrong with it.
    return kind == "error" and not text.startswith("Failed to load resource: the server responded with a status of 4")


@asynccontextmanager
async def at_desk(browser: Browser, **options: Any) -> AsyncIterator[Visitor]:
    """A visitor at a desk. `options` are Playwright's for contexts."""
    async with await browser.new_context(**{"viewport": DESKTOP, **options}) as context:
        yield Visitor(await context.new_page())


@asynccontextmanager
async def on_phone(browser: Browser, **options: Any) -> AsyncIterator[Visitor]:
    """A visitor with a phone."""
    async with await browser.new_context(**{**_PHONE_DEVICE, **options}) as context:
        yield Visitor(await context.new_page())


async def overflow(page: Page) -> int:
    """Pixels by which a page is wider than its screen."""
    return int(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


_STOP = """() => {
  stop(); // a navigation that has begun
  for (let timer = setTimeout(() => {}); timer > 0; timer--) clearTimeout(timer);
  return true;
}"""


async def stop_timers(page: Page) -> None:
    """Ends the timers of a page, so that it does not reload itself while it is examined."""
    await page.wait_for_function(_STOP)  # evaluated again after a navigation, other than `evaluate`
