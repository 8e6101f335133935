"""A draft is edited, a recipient corrected and reminded, and the deadline moved, as people do it."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.app import enter, path_of
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def done(page: Page, sentence: str) -> None:
    await expect(page.get_by_role("status")).to_contain_text(sentence)


async def test_a_draft_is_edited_and_sent(house: House, visitor: Visitor) -> None:
    draft = house.create()
    page = await enter(house, visitor, path_of(draft))
    await page.get_by_role("link", name="Edit the draft").click()

    await page.get_by_label("Session name").fill("Consulting agreement, revised")
    await page.get_by_label("Email address").first.fill("nobody")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("#input-recipients-0-email-problem")).to_be_visible()
    await page.get_by_label("Email address").first.fill("renee@right.example")
    await page.get_by_label("Days to sign").fill("14")
    await page.get_by_role("button", name="Save").click()

    await done(page, "Saved.")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Consulting agreement, revised")
    await page.get_by_role("button", name="Send").first.click()
    await done(page, "Sent.")
    now = draft.now()
    assert (now.name, now.expiry_days, now.recipients[0].email) == (
        "Consulting agreement, revised", 14, "renee@right.example",
    )  # fmt: skip


async def test_a_corrected_recipient_signs_by_the_new_link_and_the_old_one_has_ended(
    house: House, phone: Visitor, desk: Visitor
) -> None:
    made = house.send()
    first, old = made.session.recipients[0], made.link("client")
    signing = await desk.open_link(old)
    page = await enter(house, phone, path_of(made))

    await page.locator(".stepper .menu summary").first.click()
    await page.get_by_role("button", name="Remind now").first.click()
    await done(page, "A reminder is on its way.")
    await page.locator(".stepper .menu summary").first.click()
    await page.get_by_role("link", name="Correct").first.click()
    await page.get_by_label("Full name").fill("Renée King")
    await page.get_by_label("Email address").fill("renee@right.example")
    await page.get_by_role("button", name="Save").click()

    await done(page, "An invitation is on its way to the new address")
    await expect(page.locator(".timeline")).to_contain_text(f"{first.name} <{first.email}>")
    await signing.goto(old)
    await expect(signing.get_by_role("heading", level=1)).to_have_text("This link doesn’t work")
    corrected = Sent(house, made.now(), made.answers)
    assert corrected.link("client") != old
    corrected.sign("client")
    assert made.now().recipients[0].status == "completed"


async def test_the_link_of_a_deleted_session_names_that_as_a_reason(house: House, desk: Visitor) -> None:
    made = house.send(name="Deleted while open")
    link = made.link("client")
    page = await enter(house, desk, f"{path_of(made)}/delete")
    await expect(page.locator(".emailed")).to_contain_text(made.session.recipients[0].email)
    await page.get_by_label("type the session’s name").fill("Deleted while open")
    await page.get_by_role("button", name="Delete permanently").click()
    await expect(page.get_by_role("status").first).to_contain_text("Deleted.")

    await page.goto(link)

    await expect(page.locator("main")).to_contain_text("the sender may have deleted the documents")


async def test_the_deadline_is_removed(house: House, desk: Visitor) -> None:
    made = house.send(expiryDays=30)
    page = await enter(house, desk, path_of(made))
    await page.get_by_role("link", name="Change deadline and reminders").click()
    await page.get_by_label("No deadline").check()
    await page.get_by_label("Reminders").select_option("weekly")
    await page.get_by_role("button", name="Save").click()

    await done(page, "Saved.")
    now = made.now()
    assert (now.expiry_date, now.reminder_frequency, now.next_reminder_at is None) == (None, "weekly", False)
