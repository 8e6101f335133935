"""The exact pages, with inputs over their zones."""

from cli.demo.examples import Example
from tests.application.uploads import pdfs
from tests.browser.house import House, Sent
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


def _long(house: House) -> Sent:
    """A framework agreement of about twenty pages, under ten headings."""
    body = house.request()
    document = body["files"][0]["document"]
    clause = "The supplier delivers the goods on the day that the order names, and bears the risk until then. " * 8
    text = [{"type": "paragraph", "text": clause}] * 7
    headings = (
        "Scope",
        "Orders",
        "Delivery",
        "Prices",
        "Payment",
        "Warranty",
        "Liability",
        "Confidence",
        "Term",
        "Law",
    )
    parts = [[{"type": "heading", "text": f"{at}. {words}"}, *text] for at, words in enumerate(headings, start=1)]
    document["blocks"] = [*(block for part in parts for block in part), *document["blocks"]]
    return house.send_of({**body, "name": "Framework agreement"})


async def long_document(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(_long(house).link("client"))
    await page.get_by_role("heading", name="4. Prices").scroll_into_view_if_needed()


async def long_document_pages(house: House, visitor: Visitor) -> None:
    await visitor.open_link(_long(house).link("client"))
    await show(visitor)
    await visitor.page.locator("#pages-view .page").nth(5).scroll_into_view_if_needed()
    await picture_shown(visitor, "#pages-view .page:nth-of-type(6) img")


async def text_too_long(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await page.get_by_label("Home address").fill("Unit 4, 12 Harbour Street, Fremantle " * 30)


async def uploaded(house: House, visitor: Visitor) -> None:
    file = house.client.upload_file("House rules.pdf", pdfs.of_pages(2))
    body = house.request(Example.AGREEMENT)
    body["files"].append({"type": "uploadedPdf", "fileId": file.file_id})
    await visitor.open_link(house.send_of(body).link("client"))
    await visitor.page.click(".reference summary")
    await picture_shown(visitor, ".reference img")
