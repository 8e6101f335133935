"""Ways to sign, and the review before."""

from cli.demo.examples import Example
from tests.browser.filling import NAME, fill_text
from tests.browser.house import House
from tests.browser.scenes.papers import picture_shown
from tests.browser.visitor import Visitor
from tests.browser.writing import choose, draw, photograph


async def signature_typed(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send().link("client"))
    await page.fill("#signature-text", "Renée Østergård")
    await page.wait_for_selector("#typed [data-preview] img")


async def signature_drawn(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send().link("client"))
    await choose(page, "drawn")
    await draw(page)


async def signature_uploaded(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send().link("client"))
    await choose(page, "uploaded")
    await page.set_input_files("#signature-file", files=[photograph()])
    await page.wait_for_selector("[data-uploaded] [data-preview] img")


async def signature_upload_wrong(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send().link("client"))
    await choose(page, "uploaded")
    await page.set_input_files("#signature-file", {"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    await page.wait_for_selector("#signature-file-problem:not([hidden])")


async def review(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await fill_text(page)
    await page.fill("#signature-text", NAME)
    await page.check("#consent")
    await page.click("#submit")
    await page.wait_for_selector("#sign")
    await picture_shown(visitor, ".exact-pages img")
