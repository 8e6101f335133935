"""What an operator reads in the Temporal UI about sessions whose payloads are encrypted.

The tests take the pictures of `docs/operations.md` into `build/temporal-ui`.
"""

from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

import pytest
from playwright.async_api import Page, expect

from cli.data_directory import DevInfo
from tests import ROOT
from tests.backends import OperatorBackends
from tests.browser.accessibility import violations
from tests.browser.chromium import start_chromium
from tests.browser.visitor import PATIENCE, at_desk, overflow
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation

pytestmark = pytest.mark.browser

expect.set_options(timeout=PATIENCE)

PICTURES = ROOT / "build" / "temporal-ui"
_WIDTH = 1440


class Day(NamedTuple):
    """The identifiers of a session that waits for a signature, and of one whose mail cannot leave."""

    waiting: str
    stuck: str


@pytest.fixture(scope="module")
def day(installation: Installation, backends: OperatorBackends) -> Iterator[Day]:
    waiting = Agreement.of(installation)
    waiting.sign("client")
    waiting.link_of("consultant")
    backends.mails.stop()
    try:
        yield Day(waiting.session_id, Agreement.of(installation).session_id)
    finally:
        backends.mails.start()


class OperatorAtUi:
    """An operator who looks at `page`."""

    def __init__(self, page: Page, dev_info: DevInfo) -> None:
        self.page = page
        self._dev_info = dev_info

    async def sign_in(self, token: str) -> None:
        """Signs in at `/codec`, and sets the codec endpoint in the UI, as `docs/engines.md` says."""
        codec = f"{self._dev_info.api_url}/codec"
        await self.page.goto(codec)
        for entered, answer in (("wrong", "This token is not valid"), (token, "This browser lets")):
            await self.page.get_by_label("Token").fill(entered)
            await self.page.get_by_role("button").click()
            await self.page.get_by_text(answer).wait_for()
            assert await violations(self.page) == []
            assert await overflow(self.page) == 0
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

    async def take_picture(self, name: str, height: int) -> None:
        clip = {"x": 0, "y": 0, "width": _WIDTH, "height": height}
        await self.page.screenshot(path=PICTURES / f"{name}.png", clip=clip)  # type: ignore[arg-type]  # a typed dict


@pytest.fixture(scope="module")
async def operator(installation: Installation) -> AsyncIterator[OperatorAtUi]:
    """An operator who has signed in."""
    token = installation.run("operator", "token", "ada").stdout.strip()
    async with start_chromium() as browser, at_desk(browser) as visitor:
        operator = OperatorAtUi(visitor.page, installation.dev_info)
        await operator.sign_in(token)
        await operator.page.set_viewport_size({"width": _WIDTH, "height": 1400})
        yield operator


async def test_a_run_says_which_session_it_is_what_it_waits_for_and_what_happened(
    day: Day, operator: OperatorAtUi
) -> None:
    await operator.open_list('SessionStatus="inProgress"')
    await expect(operator.page.get_by_role("link", name=f"session/{day.waiting}")).to_be_visible()
    await operator.open_list()
    await operator.show_status()
    await operator.take_picture("list", 460)

    await operator.open_run(day.waiting)
    await expect(operator.page.get_by_text("Invite consultant (1)").first).to_be_visible()
    await operator.take_picture("timeline", 1400)
    await operator.open_tab("User Metadata")
    details = operator.page.frame_locator("iframe").last
    await expect(operator.page.get_by_text("Summary").first).to_be_visible()
    await expect(details.get_by_text("Waiting for the signature of consultant.")).to_be_visible()
    await expect(details.get_by_role("row").nth(1)).to_contain_text("completed")
    await operator.take_picture("details", 800)


async def test_an_activity_that_is_retried_says_why(day: Day, operator: OperatorAtUi) -> None:
    await operator.open_run(day.stuck)
    await operator.open_tab("Pending Activities")

    await expect(operator.page.get_by_text("the connection to the mail server failed")).to_be_visible()
    await operator.take_picture("stuck", 900)
