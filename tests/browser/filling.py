"""Filling in the new starter form, in the text or on the pages."""

from typing import Any

from playwright.async_api import FrameLocator, Locator, Page

LINES = {
    "Full legal name": "Matilda Mai Nguyễn",
    "Date of birth": "14/02/2001",
    "Mobile": "0491 570 156",
    "Email": "matilda.nguyen@example.com",
    "Home address": "Unit 4, 27 Marine Terrace\nFremantle WA 6160",
    "Hours a week": "22.5",
    "Barista certificate valid until": "08/28",
    "Anything we should know: allergies, medicine, somebody to call": "Allergic to peanuts.",
}
CHOICES = {
    "How you are employed": ["Part time"],
    "Days on which you can work": ["Tuesday", "Saturday"],
    "Apron size": ["M"],
}
FUND = ("Superannuation fund", "Hostplus")
TICKS = ["I have read the safety handbook and will keep to it", "You may tell me about shifts by text message"]
INITIALS = "M.N."
NAME = "Matilda Nguyễn"


async def fill_text(page: Page | FrameLocator) -> None:
    """Fills in every input of the text."""
    text = page.locator("#text-view")
    for label, value in LINES.items():
        await text.get_by_label(label).fill(value)
    for group, options in CHOICES.items():
        for option in options:
            await (
                text.get_by_role("group", name=group)
                .or_(text.get_by_role("radiogroup", name=group))
                .get_by_label(option, exact=True)
                .check()
            )
    await text.get_by_label(FUND[0]).select_option(FUND[1])
    await text.get_by_label("Your initials").first.fill(INITIALS)
    for tick in TICKS:
        await text.get_by_label(tick).check()


async def fill_pages(page: Page) -> None:
    """Fills in every input on the pages, which are shown: in place at a desk, in a sheet for each on a phone."""
    papers, sheet = page.locator("#pages-view"), page.locator("#field-sheet")
    has_sheets = await page.evaluate("matchMedia('(max-width: 40rem)').matches")

    async def open_at(label: str) -> Locator:
        if not has_sheets:
            return papers
        await papers.get_by_role("button", name=label).click()
        return sheet

    async def close() -> None:
        if await sheet.is_visible():
            await sheet.get_by_role("button", name="Done").click()

    for label, value in LINES.items():
        await (await open_at(label)).get_by_label(label).locator("visible=true").first.fill(value)
        await close()
    for group, options in CHOICES.items():
        opened = await open_at(group)
        for option in options:
            label = option if has_sheets else f"{group}: {option}"
            await opened.get_by_label(label, exact=True).check()
        await close()
    await (await open_at(FUND[0])).get_by_label(FUND[0]).locator("visible=true").select_option(FUND[1])
    await close()
    await papers.get_by_label("Initials: Your initials").click()
    await sheet.locator("input[type=text]").fill(INITIALS)
    await close()
    for tick in TICKS:
        await (await open_at(tick)).get_by_label(tick).locator("visible=true").check()
        await close()


async def sign_typed(page: Page, name: str = NAME) -> None:
    """Types the name, agrees and signs."""
    await page.fill("#signature-text", name)
    await agree_and_sign(page)


async def agree_and_sign(page: Page) -> None:
    """Gives the consent, reviews and signs; the signature is there already."""
    await page.check("#consent")
    await page.click("#submit")
    await page.click("#sign")
    await page.wait_for_selector(".seal")


async def values_of(page: Page) -> dict[str, Any]:
    """What the form would hand in, by the names of its inputs."""
    entries = await page.evaluate("[...new FormData(document.getElementById('signing'))]")
    return {name.partition("/")[2] or name: value for name, value in entries if name != "csrf"}
