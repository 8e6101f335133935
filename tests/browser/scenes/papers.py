"""The exact pages, with inputs over their zones."""

from cli.demo.examples import Example
from tests.application.uploads import pdfs
from tests.browser.house import House
from tests.browser.visitor import Visitor


async def picture_shown(visitor: Visitor, selector: str) -> None:
    """Waits until the first picture there has come."""
    picture = visitor.page.locator(selector).first
    await picture.scroll_into_view_if_needed()
    await picture.evaluate("(picture) => picture.decode()")


async def show(visitor: Visitor) -> None:
    await visitor.page.click("[data-view=pages-view]")
    await picture_shown(visitor, "#pages-view .page img")


async def pages(house: House, visitor: Visitor) -> None:
    await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await show(visitor)


async def pages_of_the_second(house: House, visitor: Visitor) -> None:
    sent = house.send(Example.NEW_STARTER)
    sent.sign("starter")
    await visitor.open_link(sent.link("manager"))
    await show(visitor)


async def pages_initials(house: House, visitor: Visitor) -> None:
    await pages(house, visitor)
    await visitor.page.locator("#pages-view .hand").first.click()
    await visitor.page.wait_for_selector("#field-sheet[open]")


async def uploaded(house: House, visitor: Visitor) -> None:
    file = house.client.upload_file("House rules.pdf", pdfs.of_pages(2))
    body = house.request(Example.AGREEMENT)
    body["files"].append({"type": "uploadedPdf", "fileId": file.file_id})
    await visitor.open_link(house.send_of(body).link("client"))
    await visitor.page.click(".reference summary")
    await picture_shown(visitor, ".reference img")
