"""An operator at the Temporal UI in a browser, signed in for encrypted payloads.

`python -m tests.end_to_end.operated.temporal_ui` takes the pictures of `docs/engines.md`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Page

from cli.dev.dev_info import DevInfo
from tests import ROOT
from tests.backends import MailServer
from tests.browser.chromium import start_chromium
from tests.browser.visitor import at_desk
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from workflows.sdk.payload_keys import new_payload_key

PICTURES = ROOT / "docs" / "images" / "temporal-ui"
_WIDTH = 1440


@dataclass(frozen=True, slots=True)
class Day:
    """A session that waits for a signature, and one whose mail cannot leave."""

    installation: Installation
    waiting: str
    stuck: str


@contextmanager
def open_day(installation: Installation, mails: MailServer) -> Iterator[Day]:
    """Sends both sessions. The mail server is stopped meanwhile."""
    waiting = Agreement.of(installation)
    waiting.sign("client")
    waiting.link_of("consultant")
    mails.stop()
    try:
        yield Day(installation, waiting.session_id, Agreement.of(installation).session_id)
    finally:
        mails.start()


class OperatorAtUi:
    """An operator who looks at `page`."""

    def __init__(self, page: Page, dev_info: DevInfo) -> None:
        self.page = page
        self._dev_info = dev_info

    async def sign_in(self, token: str) -> None:
        """Signs in at `/codec`, and sets the codec endpoint in the UI, as `docs/engines.md` says."""
        codec = f"{self._dev_info.api_url}/codec"
        await self.page.goto(codec)
        await self.page.get_by_label("Token").fill(token)
        await self.page.get_by_role("button").click()
        await self.page.get_by_text("This browser lets").wait_for()
        await self.open_list()
        await self.page.get_by_test_id("data-encoder-status").click()
        await self.page.get_by_text("Use my browser setting").click()
        await self.page.get_by_label("Codec Server browser endpoint").fill(codec)
        await self.page.get_by_text("Include cross-origin credentials").click()
        await self.page.get_by_role("button", name="Apply").click()

    async def open_list(self, query: str = "") -> None:
        """Opens the runs that a query in Temporal's syntax finds."""
        await self.page.goto(f"{self._dev_info.temporal_ui_url}/namespaces/default/workflows?query={query}")
        await self.page.get_by_role("link", name="session/").first.wait_for()

    async def show_status(self) -> None:
        """Replaces columns of the open list with the status of sessions."""
        await self.page.get_by_label("Configure Columns").click()
        for column in ("Run ID", "Type", "End"):
            await self.page.get_by_label(f"Remove {column} column").click()
        await self.page.get_by_label("Add SessionStatus column").click()
        await self.page.get_by_test_id("drawer-close-button").click()

    async def open_run(self, session_id: str) -> None:
        await self.page.goto(f"{self._dev_info.temporal_ui_url}/namespaces/default/workflows/session%2F{session_id}")

    async def open_tab(self, name: str) -> None:
        await self.page.locator("[role=tab], a").filter(has_text=name).last.click()


@asynccontextmanager
async def at_ui(day: Day) -> AsyncIterator[OperatorAtUi]:
    """Signs an operator in."""
    token = day.installation.run("operator", "token", "ada").stdout.strip()
    async with start_chromium() as browser, at_desk(browser) as visitor:
        operator = OperatorAtUi(visitor.page, day.installation.dev_info)
        await operator.sign_in(token)
        yield operator


async def take_pictures(day: Day) -> None:
    async with at_ui(day) as operator:
        await operator.page.set_viewport_size({"width": _WIDTH, "height": 1400})
        await operator.open_list()
        await operator.show_status()
        await _shoot(operator.page, "list", 460)
        await operator.open_run(day.waiting)
        await operator.page.get_by_text("Invite consultant").first.wait_for()
        await _shoot(operator.page, "timeline", 1400)
        await operator.open_tab("User Metadata")
        await _shoot(operator.page, "details", 800)
        await operator.open_run(day.stuck)
        await operator.open_tab("Pending Activities")
        await operator.page.get_by_text("the connection to the mail server failed").wait_for()
        await _shoot(operator.page, "stuck", 900)


async def _shoot(page: Page, name: str, height: int) -> None:
    await page.wait_for_timeout(3000)  # these pages draw what they have as it comes
    await page.screenshot(path=PICTURES / f"{name}.png", clip={"x": 0, "y": 0, "width": _WIDTH, "height": height})


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        outbox = Path(folder, "data", "outbox")
        outbox.mkdir(parents=True)
        mails = MailServer(outbox, "127.0.0.1")
        settings = {"UNDERSIGN_PAYLOAD_KEYS": new_payload_key(), "UNDERSIGN_SMTP_URL": mails.url}
        with Installation(outbox.parent, **settings) as installation, open_day(installation, mails) as day:
            asyncio.run(take_pictures(day))
        mails.stop()


if __name__ == "__main__":
    main()
