"""The list of sessions and a session's page: several at once, sorting, menus."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from playwright.async_api import expect

from tests.browser.app import enter, path_of
from tests.browser.house import House
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def test_several_sessions_are_withdrawn_and_the_result_is_told(house: House, visitor: Visitor) -> None:
    device = (visitor.page.viewport_size or {})["width"]
    made = [house.create(name=f"Put away {device} {number}") for number in range(3)]
    page = await enter(house, visitor, f"/app?search=put+away+{device}")
    act = page.get_by_role("button", name="Withdraw or archive…")
    await expect(act).to_be_hidden()

    await page.get_by_label("Select all").check()
    await page.get_by_role("checkbox", name=f"Select “Put away {device} 1”").uncheck()
    await expect(page.get_by_text("2 selected")).to_be_visible()
    await act.click()
    await expect(page.get_by_text("Nobody is emailed")).to_have_count(2)
    house.client.delete_session(made[0].id)
    await page.get_by_role("button", name="Withdraw or archive").click()

    told = page.get_by_role("alert")
    await expect(told).to_contain_text("1 session was withdrawn or archived.")
    await expect(told).to_contain_text(f"Put away {device} 0: The session is already archived.")
    assert "bulk" not in page.url
    assert [one.now().status for one in made] == ["cancelled", "draft", "cancelled"]


async def test_recipients_of_several_sessions_are_reminded(house: House, phone: Visitor) -> None:
    made = [house.send(name=f"Chased {number}") for number in range(2)]
    for one in made:
        one.link("client")
    page = await enter(house, phone, "/app?tab=waiting&search=chased")

    await page.get_by_label("Select all").check()
    await page.get_by_role("button", name="Remind…").click()
    await expect(page.get_by_text(f"Emailed: {made[0].session.recipients[0].name}")).to_have_count(2)
    await page.get_by_role("button", name="Remind").click()

    await expect(page.get_by_role("status").first).to_contain_text("Reminders for 2 sessions are on their way.")


async def test_completed_sessions_come_as_one_file(house: House, desk: Visitor) -> None:
    done = house.completed()
    page = await enter(house, desk, f"/app?tab=done&search={done.session.name.replace(' ', '+')}")
    await page.get_by_label("Select all").check()

    async with page.expect_download() as download:
        await page.get_by_role("button", name="Download as ZIP").click()

    with ZipFile(BytesIO((await (await download.value).path()).read_bytes())) as packed:
        assert any(name.endswith("certificate of completion.pdf") for name in packed.namelist())
    await page.get_by_role("button", name="Download as ZIP").click(trial=True)


async def test_rows_have_two_lines_at_most_and_a_head_sorts(house: House, desk: Visitor) -> None:
    for letter in "BA":
        house.send(name=f"Sorted {letter}", expiryDays=2)
    page = await enter(house, desk, "/app?search=sorted")

    await page.get_by_role("link", name="Session", exact=True).click()
    await expect(page.get_by_role("columnheader", name="Session")).to_have_attribute("aria-sort", "ascending")

    rows = page.locator("tbody tr")
    await expect(rows.first).to_contain_text("Sorted A")
    assert await rows.first.evaluate("row => row.offsetHeight") <= 64
    time = rows.first.locator(".due time")
    await expect(time).to_contain_text("in 2 days")
    assert await time.get_attribute("title") == await time.locator(".sr-only").inner_text()


async def test_a_selection_outlasts_updates_of_the_list(house: House, desk: Visitor) -> None:
    made = house.create(name="Selected for long")
    page = await enter(house, desk, "/app?search=selected+for+long")
    await page.get_by_role("checkbox", name="Select “").check()
    house.http.post(f"/api/v1/Session/{made.id}/Send").raise_for_status()
    await page.wait_for_timeout(6_000)
    await expect(page.get_by_role("checkbox", name="Select “")).to_be_checked()


async def test_a_menu_closes_with_escape_and_when_something_else_is_pressed(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, path_of(house.create()))
    menu, button = page.locator("#more"), page.locator("#more summary")

    await button.click()
    await expect(page.get_by_role("button", name="Archive")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(menu).not_to_have_attribute("open", "")
    await expect(button).to_be_focused()
    await button.click()
    await page.locator("h1").click()
    await expect(menu).not_to_have_attribute("open", "")


async def test_the_session_page_shows_the_first_page_of_its_document(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, path_of(house.completed()))
    picture = page.locator(".thumbnail img").first
    await expect(picture).to_have_js_property("complete", True)  # a property's value
    assert await picture.evaluate("image => image.naturalWidth") > 0
