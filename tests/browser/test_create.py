"""Sessions and templates made in the app, in a real Chromium: with and without scripts, by mouse and by keyboard."""

import json

import pytest
from playwright.async_api import Browser, Page, expect

from cli.demo.command import await_invitation
from tests.browser.accessibility import violations
from tests.browser.app import enter, make_template
from tests.browser.house import House
from tests.browser.visitor import Visitor, at_desk, overflow

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def fill_in(page: Page) -> None:
    await page.get_by_label("Tenant", exact=True).fill("Ingrid Solheim")
    await page.get_by_label("Address of the flat").fill("Nordnesveien 12, Bergen")
    await page.get_by_label("First day").fill("2026-09-01")
    await page.get_by_label("Monthly rent").fill("much")
    await page.get_by_role("group", name="tenant").get_by_label("Email").fill("ingrid@example.com")
    await page.get_by_label("Session name").fill("Lease of Ingrid")


async def test_a_name_that_is_too_long_is_refused_and_stays_whole(house: House, desk: Visitor) -> None:
    name = "Framework agreement for the supply of furniture and fittings"
    page = await enter(house, desk, make_template(house, active=True).replace("/templates/", "/new/"))
    await fill_in(page)
    await page.get_by_label("Session name").fill(name)
    await page.get_by_role("button", name="Create draft").click()

    await expect(page.locator("#session-name-problem")).to_have_text("Write at most 50 characters.")
    await expect(page.get_by_label("Session name")).to_have_value(name)


async def test_the_way_back_from_a_draft_leads_to_an_empty_form(house: House, desk: Visitor) -> None:
    page = await enter(house, desk, make_template(house, active=True).replace("/templates/", "/new/"))
    await fill_in(page)
    await page.get_by_role("button", name="Create draft").click()
    await page.get_by_label("Monthly rent").fill("1,300.00")
    await page.get_by_role("button", name="Create draft").click()
    await expect(page.get_by_role("status").first).to_contain_text("Draft created.")

    await page.go_back()

    await expect(page.get_by_role("heading", name="New session from")).to_be_visible()
    await expect(page.locator("#problems")).to_have_count(0)


@pytest.mark.parametrize("has_scripts", [True, False])
async def test_a_template_becomes_a_session_that_its_recipient_opens(
    house: House, browser: Browser, has_scripts: bool
) -> None:
    async with at_desk(browser, java_script_enabled=has_scripts) as visitor:
        template = make_template(house, active=True)
        page = await enter(house, visitor)
        await page.get_by_role("link", name="New session").first.click()
        await page.goto(f"{house.url}{template}")  # other tests make templates of the same name
        await page.get_by_role("link", name="New session").click()
        await fill_in(page)
        await page.get_by_role("button", name="Create draft").click()

        await page.get_by_role("link", name="Enter a number, such as 1,250.00.").click()
        await expect(page.get_by_label("Monthly rent")).to_be_focused()
        await expect(page.get_by_label("Address of the flat")).to_have_value("Nordnesveien 12, Bergen")
        await page.get_by_label("Monthly rent").fill("1,300.00")
        await page.get_by_role("button", name="Create draft").click()

        await expect(page.get_by_role("status").first).to_contain_text("Draft created.")
        await expect(page.get_by_role("heading", name="Review the pages")).to_be_visible()
        assert await page.locator(".marks rect").count() > 0
        await page.get_by_role("button", name="Send").first.click()
        await expect(page.get_by_role("status").first).to_contain_text("Sent.")

        sent = house.client.get_session(page.url.partition("/sessions/")[2].partition("?")[0])
        outbox = house.installation.dev_info.outbox_dir
        await visitor.open_link(await_invitation(outbox, sent.session_id, sent.recipients[0]))
        await expect(page.get_by_text("Nordnesveien 12, Bergen").first).to_be_visible()
        await expect(page.get_by_text("1,300.00").first).to_be_attached()
        assert visitor.errors == []


async def test_the_preview_follows_the_text_and_issues_lead_to_their_line(house: House, desk: Visitor) -> None:
    page = await enter(house, desk, "/app/new/json")
    text = page.get_by_label("JSON", exact=True)
    body = json.loads(await text.input_value())
    await expect(page.locator(".page-view img")).to_be_visible()

    body["files"][0]["document"]["title"] = "Another title"
    await text.fill(json.dumps(body, indent=2))
    await expect(page.get_by_role("heading", name="Another title")).to_be_visible()

    body["files"][0]["document"]["title"] = ""
    await text.fill(json.dumps(body, indent=2))
    await expect(page.get_by_role("heading", name="1 issue to correct")).to_be_visible()
    await expect(page.locator("#shown-page.stale .page-view")).to_be_visible()
    await expect(page.get_by_role("status")).to_contain_text("1 issue to correct")
    assert await violations(page) == []
    await page.get_by_role("link", name="Line 8").click()
    await expect(text).to_be_focused()
    chosen = await text.evaluate("text => text.value.slice(text.selectionStart, text.selectionEnd)")
    assert chosen.strip() == '"title": "",'

    blocks = body["files"][0]["document"]["blocks"]
    body["files"][0]["document"] |= {"title": "Two pages", "blocks": [*blocks, {"type": "pageBreak"}, *blocks[:2]]}
    await text.fill(json.dumps(body, indent=2))
    await page.get_by_role("button", name="Next page").click()
    await expect(page.get_by_text("Page 2 of 2", exact=True).first).to_be_visible()
    await expect(page.get_by_role("button", name="Previous page")).to_be_focused()
    assert await text.input_value() == json.dumps(body, indent=2)

    await page.get_by_role("button", name="Create draft").click()
    await expect(page.get_by_role("status").first).to_contain_text("Draft created.")


async def test_a_template_is_edited_activated_and_used(house: House, phone: Visitor) -> None:
    page = await enter(house, phone, make_template(house, active=True))
    await page.get_by_role("link", name="Edit", exact=True).click()
    text = page.get_by_label("JSON", exact=True)
    await text.fill((await text.input_value()).replace("Residential Lease", "Lease of a flat"))
    await expect(page.locator(".page-view img")).to_be_visible()
    await page.get_by_role("button", name="Save").click()

    await expect(page.get_by_role("status").first).to_contain_text("Saved.")
    await expect(page.get_by_text("Sessions are created from version 1.")).to_be_visible()
    assert await violations(page) == []
    await page.get_by_role("button", name="Activate").click()
    await expect(page.get_by_role("status").first).to_contain_text("Active.")
    await page.get_by_role("button", name="Duplicate").click()
    await expect(page.get_by_role("heading", name="Residential lease (copy)").first).to_be_visible()
    assert await overflow(page) == 0


async def test_a_session_is_duplicated(house: House, desk: Visitor) -> None:
    made = house.send(name="Sent once more")
    page = await enter(house, desk, f"/app/sessions/{made.id}")
    await page.locator("#more summary").click()
    await page.get_by_role("button", name="Duplicate").click()
    await expect(page.get_by_role("status").first).to_contain_text("This is a new draft")
    await expect(page.get_by_role("heading", name="Review the pages")).to_be_visible()
    assert made.id not in page.url
