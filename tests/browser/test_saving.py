"""Typed values survive a reload, a broken connection and a mistake."""

import re

import pytest
from playwright.async_api import Page, expect

from cli.demo.examples import Example
from tests.browser.filling import fill_text, sign_typed, values_of
from tests.browser.house import House
from tests.browser.visitor import Visitor
from tests.browser.writing import choose, draw

pytestmark = [pytest.mark.browser, pytest.mark.installation]

SAVED = re.compile("^Saved$")


async def saved(page: Page) -> None:
    await expect(page.locator("#saved")).to_have_text(SAVED)


async def open_form(house: House, visitor: Visitor) -> Page:
    return await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))


async def test_everything_is_there_again_after_a_reload(house: House, visitor: Visitor) -> None:
    page = await open_form(house, visitor)
    await fill_text(page)
    await page.fill("#signature-text", "Matilda")
    before = await values_of(page)
    await page.get_by_label("Hours a week").first.focus()
    await saved(page)

    await page.reload()

    assert await values_of(page) == before
    await expect(page.locator("#saved")).to_have_text("We’ve restored what you entered before")


async def test_text_typed_offline_is_saved_when_the_connection_is_back(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.context.set_offline(offline=True)
    await page.get_by_label("Full legal name").fill("Matilda")
    await page.get_by_label("Hours a week").focus()
    await expect(page.locator("#saved")).to_contain_text("You’re offline")

    await page.context.set_offline(offline=False)
    await saved(page)
    await page.reload()

    assert await page.get_by_label("Full legal name").input_value() == "Matilda"
    desk.errors[:] = [error for error in desk.errors if "ERR_INTERNET_DISCONNECTED" not in error]


async def test_a_choice_that_was_taken_back_and_a_drawing_that_was_cleared_stay_so(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    apron = page.get_by_role("radiogroup", name="Apron size")
    await apron.get_by_label("M", exact=True).check()
    await choose(page, "drawn")
    await draw(page)
    await saved(page)

    await apron.get_by_role("button", name="Clear my choice").click()
    await page.click("#drawing-clear")
    await saved(page)
    await page.reload()

    await expect(apron.get_by_label("M", exact=True)).not_to_be_checked()
    assert (await values_of(page))["signatureDrawing"] == ""


async def test_a_problem_appears_on_blur_and_disappears_when_the_value_is_right(house: House, phone: Visitor) -> None:
    page = await open_form(house, phone)
    mobile = page.get_by_label("Mobile")
    await mobile.press_sequentially("12345")
    await saved(page)
    await expect(page.locator(".problem:visible")).to_have_count(0)

    await mobile.blur()
    await expect(page.locator(".problem:visible")).to_have_text(re.compile("Mobile"))
    assert await mobile.get_attribute("aria-invalid") == "true"
    problem = await page.locator(".problem:visible").get_attribute("id")
    assert problem in (await mobile.get_attribute("aria-describedby") or "").split()

    await mobile.fill("0491 570 156")
    await expect(page.locator(".problem:visible")).to_have_count(0)
    assert await mobile.get_attribute("aria-invalid") is None

    await mobile.fill("")
    await mobile.blur()
    await saved(page)
    await expect(page.locator(".problem:visible")).to_have_count(0)  # what is missing is named on submission


async def test_a_problem_shows_on_the_page_too(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.click("[data-view=pages-view]")
    born = page.locator("#pages-view").get_by_label("Date of birth", exact=True)
    await born.fill("31/02/2001")
    await born.blur()
    await expect(born).to_have_attribute("aria-invalid", "true")
    assert "Date of birth" in (await born.get_attribute("title") or "")


async def test_the_bar_counts_what_is_filled_in_and_leads_to_the_next_empty_input(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    bar = page.locator("#progress")
    await expect(bar.get_by_role("status")).to_have_text("0 of 11 filled in")

    await page.get_by_label("Full legal name").fill("Matilda")
    await page.get_by_label("Mobile").fill("0491 570 156")
    await expect(bar.get_by_role("status")).to_have_text("2 of 11 filled in")
    await bar.get_by_role("link").press("Enter")
    await expect(page.get_by_label("Email")).to_be_focused()

    await fill_text(page)
    await page.get_by_label("Date of birth").first.fill("")
    await page.get_by_label("Mobile").focus()
    await expect(bar.get_by_role("status")).to_have_text("10 of 11 filled in")
    await bar.get_by_role("link").press("Enter")
    await expect(page.get_by_label("Date of birth").first).to_be_focused()


async def test_signing_leaves_no_draft_behind(house: House, desk: Visitor) -> None:
    sent = house.send(Example.NEW_STARTER)
    page = await desk.open_link(sent.link("starter"))
    await fill_text(page)
    await sign_typed(page)

    await page.reload()

    await expect(page.locator("h1")).to_have_text("You’ve signed. Thank you!")


async def test_what_was_typed_stays_in_another_language_and_enter_sends_it(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(delegation=True).link("client"))
    await page.click(".instead a[href$=delegate]")
    await page.fill("#name", "Signe Kjær")

    await page.click(".languages summary")
    await page.get_by_role("button", name="Deutsch").click()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(page.locator("#name")).to_have_value("Signe Kjær")
    await page.press("#name", "Enter")

    await expect(page.locator("#email-problem")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", "de")


async def test_in_a_review_sign_is_in_sight_and_each_value_leads_to_its_input(house: House, phone: Visitor) -> None:
    page = await open_form(house, phone)
    await fill_text(page)
    await page.check("#consent")
    await page.click("#submit")
    await expect(page.locator("#sign")).to_be_in_viewport(ratio=1)

    await page.get_by_role("link", name="Change Mobile").click()

    await expect(page.get_by_label("Mobile")).to_be_focused()
    await expect(page.get_by_label("Mobile")).not_to_have_value("")
