"""A real Chromium: an installed one, or the download of Playwright."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Playwright, async_playwright

_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first takes half the processor time of the others: it has no windows at all."""


@asynccontextmanager
async def start_chromium() -> AsyncIterator[Browser]:
    """A browser without windows; contexts in it are cheap and know nothing of each other."""
    async with async_playwright() as playwright:
        # Everything runs as root in containers, where Chromium has no sandbox of its own; it sees our pages only.
        # Fonts without hinting look the same on every machine.
        browser = await playwright.chromium.launch(
            executable_path=_find(playwright), args=["--no-sandbox", "--font-render-hinting=none"]
        )
        try:
            yield browser
        finally:
            await browser.close()


def _find(playwright: Playwright) -> str:
    names = [os.environ.get("CHROMIUM", ""), *_PROGRAMS]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None and Path(playwright.chromium.executable_path).exists():
        found = playwright.chromium.executable_path
    assert found, (
        "no Chromium: install Debian's package `chromium-headless-shell`, or name one by the variable CHROMIUM"
    )
    return found
