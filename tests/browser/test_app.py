"""The app in a real Chromium: by mouse and by keyboard, with and without scripts."""

import asyncio

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.app import enter, make_template, path_of, request_link
from tests.browser.house import House
from tests.browser.visitor import Visitor, at_desk

pytestmark = [pytest.mark.browser, pytest.mark.installation]

MOST_BYTES = 150_000
"""Of a page with its styles and scripts, without fonts and pictures of pages."""


async def state(page: Page) -> str:
    return await page.locator("main .title-row .state").inner_text()


async def test_signing_in_leads_to_the_requested_page_and_signing_out_ends_it(house: House, visitor: Visitor) -> None:
    page = visitor.page
    await page.goto(f"{house.url}/app/templates")
    await expect(page.get_by_role("status")).to_contain_text("Sign in to continue")

    await page.goto(await request_link(house, page))
    await page.get_by_role("button", name="Sign in to").click()
    await page.wait_for_url("**/app/templates")
    await page.locator("#account summary").click()
    await page.get_by_role("button", name="Sign out").click()

    await expect(page.get_by_role("status")).to_contain_text("You’re signed out")
    await page.goto(f"{house.url}/app")
    await page.wait_for_url("**/app/sign-in?to=*")


async def test_a_wrong_address_is_selected_so_that_it_is_typed_over(house: House, visitor: Visitor) -> None:
    page = visitor.page
    await page.goto(f"{house.url}/app/sign-in")
    await page.get_by_label("Email address").fill("nonsense")
    await page.get_by_role("button", name="Send me a link").click()
    await page.get_by_role("alert").wait_for()

    await page.keyboard.type("ada@example.com")

    await expect(page.get_by_label("Email address")).to_have_value("ada@example.com")


async def test_signing_in_by_a_provider_on_another_site_leads_to_the_requested_page(
    house: House, visitor: Visitor
) -> None:
    page = visitor.page
    await page.goto(f"{house.url}/app/templates")

    await page.get_by_role("link", name="Continue with Acme").focus()
    await page.keyboard.press("Enter")

    await page.wait_for_url("**/app/templates")
    await page.locator("#account summary").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("status")).to_contain_text("You’re signed out")


async def test_a_draft_is_reviewed_and_sent(house: House, visitor: Visitor) -> None:
    draft = house.create()
    page = await enter(house, visitor, path_of(draft))
    picture = page.locator(".page-view img").first
    await picture.scroll_into_view_if_needed()
    await expect(picture).to_have_js_property("complete", True)  # a property's value
    assert await picture.evaluate("image => image.naturalWidth") > 0
    assert await page.locator(".marks rect").count() > 0

    await page.get_by_role("button", name="Send").first.click()

    await expect(page.get_by_role("status")).to_contain_text("Sent.")
    assert await state(page) == "Waiting"
    assert draft.now().status == "pending"
    assert draft.link("client")


async def test_a_session_is_restored_from_the_list(house: House, phone: Visitor) -> None:
    made = house.create(name="Put away and brought back")
    house.client.delete_session(made.id)
    page = await enter(house, phone, "/app?tab=archived")

    await page.get_by_role("checkbox", name="Select “Put away and brought back”").check()
    await page.get_by_role("button", name="Restore…").click()
    await page.get_by_role("button", name="Restore").click()

    await expect(page.get_by_role("status").first).to_contain_text("1 session was restored.")
    assert made.now().status == "draft"


async def test_a_callback_is_delivered_again_and_a_recipient_invited_again(house: House, phone: Visitor) -> None:
    made = house.send(callbackUrl="http://127.0.0.1:9/nobody")
    made.link("client")
    page = await enter(house, phone, path_of(made))

    await page.get_by_role("button", name="Redeliver").first.click()
    await expect(page.get_by_role("status")).to_contain_text("Redelivering")
    await expect(page.locator(".calls")).to_contain_text("attempt")

    await page.locator(".stepper .menu summary").first.click()
    await page.get_by_role("button", name="Resend invitation").click()

    await expect(page.get_by_role("status")).to_contain_text("A new invitation")
    await expect(page.locator(".timeline")).to_contain_text("again")


async def test_a_template_is_activated(house: House, desk: Visitor) -> None:
    page = await enter(house, desk, make_template(house, active=False))
    await page.get_by_role("button", name="Activate").click()
    await expect(page.get_by_role("status")).to_contain_text("Active.")
    assert await state(page) == "Active"


async def test_changes_by_others_appear_without_a_reload(house: House, desk: Visitor) -> None:
    made = house.send()
    page = await enter(house, desk, path_of(made))
    assert await state(page) == "Waiting"
    await page.evaluate("window.stayed = true")

    made.sign("client")

    await expect(page.locator("main .title-row .state")).to_have_text("Partly signed")
    assert await page.evaluate("window.stayed") is True


async def test_a_button_stays_under_the_finger_that_presses_it(house: House, desk: Visitor) -> None:
    made = house.send()
    page = await enter(house, desk, path_of(made))
    asked, come = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await come.wait()
        await route.continue_()

    await page.route(page.url, hold)
    made.sign("client")
    await asked.wait()
    await open_menu(page)
    await page.get_by_role("link", name="Withdraw").hover()
    await page.mouse.down()
    async with page.expect_event("requestfinished"):
        come.set()
    await page.evaluate("new Promise((done) => setTimeout(done, 200))")
    await page.mouse.up()

    await expect(page.get_by_role("heading", name="Withdraw this request?")).to_be_visible()


async def test_the_list_follows_and_keeps_the_focus(house: House, desk: Visitor) -> None:
    made = house.create(name="Followed in the list")
    page = await enter(house, desk, "/app?search=Followed+in+the+list")
    row = page.get_by_role("row", name="Followed in the list")
    await page.get_by_role("link", name="Followed in the list").focus()

    house.http.post(f"/api/v1/Session/{made.id}/Send").raise_for_status()

    await expect(row).to_contain_text("Waiting")
    await expect(page.get_by_role("link", name="Followed in the list")).to_be_focused()


_FOCUSED = "document.activeElement.matches('a, button, summary') ? document.activeElement.innerText : ''"


async def open_menu(page: Page) -> None:
    await page.locator("#more summary").click()


async def press_until(page: Page, name: str) -> None:
    """Presses Tab until a link or a button of that name has the focus."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if name in await page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"no {name} within reach of the keyboard")


async def test_the_keyboard_is_enough(house: House, desk: Visitor) -> None:
    draft = house.create(name="By keyboard alone")
    page = await enter(house, desk, "/app?search=By+keyboard+alone")

    await press_until(page, "By keyboard alone")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**{path_of(draft)}")
    await press_until(page, "Send")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Sent.")
    await press_until(page, "More actions")
    await page.keyboard.press("Enter")
    await press_until(page, "Withdraw")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/archive")
    await press_until(page, "Withdraw")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Withdrawn.")
    await press_until(page, "More actions")
    await page.keyboard.press("Enter")
    await press_until(page, "Delete permanently")
    await page.keyboard.press("Enter")
    await page.get_by_label("type the session’s name").wait_for()
    while not await page.get_by_label("type the session’s name").evaluate("input => input === document.activeElement"):
        await page.keyboard.press("Tab")
    await page.keyboard.type("By keyboard alone")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("status").first).to_contain_text("Deleted.")


async def test_everything_works_without_scripts(house: House, browser: Browser) -> None:
    async with at_desk(browser, java_script_enabled=False) as visitor:
        draft = house.create(name="Without scripts")
        page = visitor.page
        await page.goto(f"{house.url}{path_of(draft)}")
        await page.goto(await request_link(house, page))
        await page.get_by_role("button", name="Sign in to").click()
        await page.wait_for_url(f"**{path_of(draft)}")
        await page.get_by_role("button", name="Send").first.click()
        await expect(page.get_by_role("status")).to_contain_text("Sent.")
        await open_menu(page)
        await page.get_by_role("link", name="Withdraw").click()
        await page.get_by_role("button", name="Withdraw").click()
        await page.get_by_role("button", name="Restore").click()
        await page.get_by_label("Don’t email them").check()
        await page.get_by_role("button", name="Restore").click()
        await expect(page.get_by_role("status")).to_contain_text("Restored.")
        await page.goto(f"{house.url}/app")
        await page.get_by_label("Name, recipient or email address").fill("without scr")
        await page.get_by_role("button", name="Search").click()
        await page.get_by_role("checkbox", name="Select “Without scripts”").check()
        await page.get_by_role("button", name="Withdraw or archive…").click()
        await page.get_by_role("button", name="Withdraw or archive").click()
        await expect(page.get_by_role("status").first).to_contain_text("1 session was withdrawn or archived.")
        await page.goto(f"{house.url}/app?tab=archived&search=without+scr")
        await page.get_by_role("link", name="Without scripts").click()
        await open_menu(page)
        await page.get_by_role("link", name="Delete permanently").click()
        await page.get_by_label("type the session’s name").fill("Without scripts")
        await page.get_by_role("button", name="Delete permanently").click()
        await expect(page.get_by_role("status").first).to_contain_text("Deleted.")
        assert visitor.errors == []


@pytest.mark.parametrize("path", ["/app", "/app/new", "/app/new/json", "/app/templates", "/app/organisation/settings"])
async def test_pages_are_light(house: House, desk: Visitor, path: str) -> None:
    house.create()
    page = await enter(house, desk, path)

    size = await page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".filter((entry) => !entry.name.endsWith('.ttf')).reduce((sum, entry) => sum + entry.decodedBodySize, 0)"
        "- [...document.images].reduce((sum, image) => sum + (image.src.startsWith('data:') ? image.src.length : 0), 0)"
    )

    assert 0 < size < MOST_BYTES


async def test_pages_of_the_other_direction_mirror(house: House, desk: Visitor) -> None:
    page = await enter(house, desk)
    await page.evaluate("document.documentElement.dir = 'rtl'")

    mark = await page.locator(".wordmark").bounding_box()
    leave = await page.locator("#account summary").bounding_box()

    assert mark
    assert leave
    assert leave["x"] < 640 < mark["x"]
