"""What an operator reads in the Temporal UI about sessions whose payloads are encrypted."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import expect

from tests.backends import OperatorBackends
from tests.browser.visitor import PATIENCE
from tests.end_to_end.installation import Installation
from tests.end_to_end.operated.temporal_ui import Day, OperatorAtUi, at_ui, open_day

pytestmark = [pytest.mark.installation, pytest.mark.postgresql, pytest.mark.browser]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def day(installation: Installation, backends: OperatorBackends) -> Iterator[Day]:
    with open_day(installation, backends.mails) as opened:
        yield opened


@pytest.fixture
async def operator(day: Day) -> AsyncIterator[OperatorAtUi]:
    async with at_ui(day) as operator:
        yield operator


async def test_a_run_says_which_session_it_is_what_it_waits_for_and_what_happened(
    day: Day, operator: OperatorAtUi
) -> None:
    await operator.open_list('SessionStatus="inProgress"')
    await expect(operator.page.get_by_role("link", name=f"session/{day.waiting}")).to_be_visible()

    await operator.open_run(day.waiting)
    await expect(operator.page.get_by_text("Invite consultant (1)").first).to_be_visible()
    await operator.open_tab("User Metadata")
    details = operator.page.frame_locator("iframe").last
    await expect(operator.page.get_by_text("Summary").first).to_be_visible()
    await expect(details.get_by_text("Waiting for the signature of consultant.")).to_be_visible()
    await expect(details.get_by_role("row").nth(1)).to_contain_text("completed")


async def test_an_activity_that_is_retried_says_why(day: Day, operator: OperatorAtUi) -> None:
    await operator.open_run(day.stuck)
    await operator.open_tab("Pending Activities")

    await expect(operator.page.get_by_text("the connection to the mail server failed")).to_be_visible()
