"""An operator at the Temporal UI, in a real browser: signed in for encrypted payloads, looking at runs.

`python -m tests.end_to_end.temporal_ui` takes the pictures of `docs/operations.md`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Page

from cli.demo.command import connect
from cli.dev.dev_info import DevInfo
from tests import ROOT
from tests.backends import mail_server
from tests.browser.chromium import start_chromium
from tests.browser.visitor import at_desk
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from workflows.sdk.config import new_payload_key

PICTURES = ROOT / "docs" / "images" / "temporal-ui"
_WIDTH = 1440


@dataclass(frozen=True, slots=True)
class Day:
    """An installation with a session that waits for a signature, and one whose mail cannot leave."""

    installation: Installation
    waiting: str
    stuck: str


@contextmanager
def open_day(folder: Path) -> Iterator[Day]:
    """Sessions as an operator finds them, below `folder`."""
    outbox = folder / "data" / "outbox"
    outbox.mkdir(parents=True)
    with ExitStack() as mails:
        _, port = mails.enter_context(mail_server(outbox))
        mail = {"UNDERSIGN_SMTP_URL": f"smtp-plain://127.0.0.1:{port}"}
        installation = Installation(outbox.parent, UNDERSIGN_PAYLOAD_KEYS=new_payload_key(), **mail)
        dev_info = installation.start()
        try:
            with closing(connect(dev_info)) as service:
                waiting = Agreement(dev_info, service)
                waiting.sign("client")
                waiting.link_of("consultant")
                mails.close()
                stuck = Agreement(dev_info, service)
                yield Day(installation, waiting.session_id, stuck.session_id)
        finally:
            installation.stop()


class OperatorAtUi:
    """Looks at `page`."""

    def __init__(self, page: Page, dev_info: DevInfo) -> None:
        self.page = page
        self._dev_info = dev_info

    async def sign_in(self, token: str) -> None:
        """At `/codec`, and then under the glasses of the UI, as `docs/engines.md` says."""
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
        """The runs that `query`, in Temporal's words, finds."""
        await self.page.goto(f"{self._dev_info.temporal_ui_url}/namespaces/default/workflows?query={query}")
        await self.page.get_by_role("link", name="session/").first.wait_for()

    async def show_status(self) -> None:
        """Of the list that is open: the status of sessions in place of what is the same of all, or means nothing."""
        await self.page.get_by_label("Configure Columns").click()
        for column in ("Run ID", "Type", "End"):
            await self.page.get_by_label(f"Remove {column} column").click()
        await self.page.get_by_label("Add SessionStatus column").click()
        await self.page.get_by_test_id("drawer-close-button").click()

    async def open_run(self, session_id: str) -> None:
        """That of a session."""
        await self.page.goto(f"{self._dev_info.temporal_ui_url}/namespaces/default/workflows/session%2F{session_id}")

    async def open_tab(self, name: str) -> None:
        """Of the run that is open."""
        await self.page.locator("[role=tab], a").filter(has_text=name).last.click()


@asynccontextmanager
async def at_ui(day: Day) -> AsyncIterator[OperatorAtUi]:
    """An operator who has signed in."""
    token = day.installation.run("operator", "token", "ada").stdout.strip()
    async with start_chromium() as browser, at_desk(browser) as visitor:
        operator = OperatorAtUi(visitor.page, day.installation.dev_info)
        await operator.sign_in(token)
        yield operator


async def take_pictures(day: Day) -> None:
    """Of a list, of what has happened in a run and what it waits for, and of one that is stuck."""
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
    with TemporaryDirectory() as folder, open_day(Path(folder)) as day:
        asyncio.run(take_pictures(day))


if __name__ == "__main__":
    main()
