"""The pages of the app that change a session."""

from tests.browser.app import enter, path_of
from tests.browser.house import House
from tests.browser.visitor import Visitor


async def draft(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{path_of(house.create())}/edit")


async def draft_with_mistakes(house: House, visitor: Visitor) -> None:
    await draft(house, visitor)
    page = visitor.page
    await page.get_by_label("Session name").fill("")
    await page.get_by_label("Email address").first.fill("nobody")
    await page.get_by_role("button", name="Save").click()
    await page.wait_for_selector("#input-recipients-0-email-problem")


async def recipient(house: House, visitor: Visitor) -> None:
    made = house.send()
    await enter(house, visitor, f"{path_of(made)}/recipients/{made.session.recipients[0].recipient_id}/correct")


async def recipient_with_mistakes(house: House, visitor: Visitor) -> None:
    await recipient(house, visitor)
    page = visitor.page
    await page.get_by_label("Full name").fill(" ")
    await page.get_by_label("Email address").fill("nobody")
    await page.get_by_role("button", name="Save").click()
    await page.wait_for_selector("#input-email-problem")


async def schedule(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{path_of(house.send(expiryDays=30))}/schedule")


async def schedule_with_a_mistake(house: House, visitor: Visitor) -> None:
    await schedule(house, visitor)
    page = visitor.page
    await page.get_by_label("Last day to sign").fill("2020-01-01")
    await page.get_by_role("button", name="Save").click()
    await page.wait_for_selector("#input-expiryDays-problem")


async def sign_here(house: House, visitor: Visitor) -> None:
    made = house.send()
    await enter(house, visitor, f"{path_of(made)}/recipients/{made.session.recipients[0].recipient_id}/sign-here")


async def signing_link(house: House, visitor: Visitor) -> None:
    await sign_here(house, visitor)
    await visitor.page.get_by_role("button", name="Create a link").click()
    await visitor.page.wait_for_selector("#signing-link")
