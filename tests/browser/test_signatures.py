"""Typed, drawn and uploaded signatures, by mouse, finger or keyboard."""

import json
from io import BytesIO

import pymupdf
import pytest
from PIL import Image
from playwright.async_api import Page, expect

from cli.demo.examples import Example
from tests.browser.filling import FUND, NAME, agree_and_sign, fill_text, sign_typed, values_of
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor
from tests.browser.writing import choose, draw, draw_with_finger, photograph

SHOWS_THE_SAME = """() => {
  const [preview, mirror] = ["#typed [data-preview] img", "[data-mirror] img"].map((at) => document.querySelector(at));
  return preview && mirror && preview.src === mirror.src;
}"""

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def open_form(house: House, visitor: Visitor, key: str = "client") -> tuple[Sent, Page]:
    sent = house.send()
    page = await visitor.open_link(sent.link(key))
    for name, value in sent.answers[key].items():
        control = page.locator(f"[name$='/{name}']")
        if await control.get_attribute("type") == "checkbox":
            await control.check()
        else:
            await control.fill(str(value))
    return sent, page


async def test_a_name_is_shown_in_a_hand_as_it_is_typed_and_nothing_moves(house: House, visitor: Visitor) -> None:
    _, page = await open_form(house, visitor)

    async def height_of_consent() -> float:
        return float(await page.locator("#consent").evaluate("box => box.getBoundingClientRect().y + scrollY"))

    before = await height_of_consent()
    await page.locator("#signature-text").press_sequentially("Renée")
    preview = page.locator("#typed [data-preview] img")
    await preview.wait_for()

    assert await height_of_consent() == before
    await page.wait_for_function(SHOWS_THE_SAME)  # each may still be that of fewer letters
    await agree_and_sign(page)


async def open_pad(house: House, visitor: Visitor) -> tuple[Sent, Page]:
    sent, page = await open_form(house, visitor)
    await choose(page, "drawn")
    return sent, page


async def test_a_drawing_is_taken_back_stroke_by_stroke_cleared_drawn_again_and_signed(
    house: House, visitor: Visitor
) -> None:
    sent, page = await open_pad(house, visitor)
    tools = page.locator("#drawing-undo, #drawing-clear")
    assert [await tool.get_attribute("aria-disabled") for tool in await tools.all()] == ["true", "true"]
    await draw(page)
    assert [await tool.get_attribute("aria-disabled") for tool in await tools.all()] == ["false", "false"]

    async def drawing() -> str:
        return str((await values_of(page))["signatureDrawing"])

    two = await drawing()
    await page.click("#drawing-undo")
    one = await drawing()
    await page.click("#drawing-undo")
    none = await drawing()
    await draw(page)
    again = await drawing()
    await page.click("#drawing-clear")

    assert 0 < len(one) < len(two)
    assert none == "" != again
    assert await drawing() == ""
    await draw(page)
    await agree_and_sign(page)
    assert sent.now().recipients[0].status == "completed"


async def test_a_finger_draws(house: House, phone: Visitor) -> None:
    _, page = await open_pad(house, phone)
    await page.locator("#signature-canvas").scroll_into_view_if_needed()

    await draw_with_finger(page)

    assert await strokes_of(page) == 1


async def strokes_of(page: Page) -> int:
    return len(json.loads((await values_of(page))["signatureDrawing"])["strokes"])


async def test_a_drawing_outlives_a_turn_of_the_phone_and_is_signed_as_it_was_drawn(
    house: House, phone: Visitor
) -> None:
    sent, page = await open_pad(house, phone)
    await draw(page)
    drawn = (await values_of(page))["signatureDrawing"]

    await page.set_viewport_size({"width": 844, "height": 390})
    await page.wait_for_timeout(200)
    pad = await page.locator("#signature-canvas").bounding_box()
    assert pad
    assert pad["height"] < 390 - 100
    assert (await values_of(page))["signatureDrawing"] == drawn
    await draw(page, strokes=1)
    assert await strokes_of(page) == 3

    await agree_and_sign(page)
    assert await ink_of(house, sent) == pytest.approx(3.4, abs=0.3)


async def test_a_line_that_leaves_the_pad_is_not_cut(house: House, desk: Visitor) -> None:
    sent, page = await open_pad(house, desk)
    box = await page.locator("#signature-canvas").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 20, box["y"] + 20)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 20 + box["height"] / 2, box["y"] + box["height"] * 1.5, steps=12)
    await page.mouse.up()

    await agree_and_sign(page)
    assert await ink_of(house, sent) == pytest.approx(0.36, abs=0.06)


async def test_a_browser_that_returns_other_pixels_than_it_shows_signs_the_same(house: House, desk: Visitor) -> None:
    """Firefox with `privacy.resistFingerprinting`, and others, return noise."""
    await desk.page.add_init_script(
        """
        CanvasRenderingContext2D.prototype.getImageData = () => { throw new Error("pixels are read") };
        HTMLCanvasElement.prototype.toDataURL = () => "data:image/png;base64,bm9pc2U=";
        HTMLCanvasElement.prototype.toBlob = () => { throw new Error("pixels are read") };
        """
    )
    sent, page = await open_form(house, desk)
    await choose(page, "uploaded")
    await page.set_input_files("#signature-file", files=[photograph()])
    await expect(page.locator("[data-uploaded] [data-preview] img")).to_be_visible()
    await choose(page, "drawn")
    await draw(page)
    await expect(page.locator("[data-mirror] img")).to_be_visible()

    await agree_and_sign(page)
    assert await ink_of(house, sent) == pytest.approx(3.4, abs=0.3)


async def ink_of(house: House, sent: Sent) -> float:
    """Returns the ratio of width to height of the signature in the first signed document."""
    sent.sign("consultant")
    sent.await_documents()
    entry, *_ = house.client.list_documents(sent.id).documents
    with pymupdf.open(stream=house.client.download(entry)) as signed:
        boxes = [box for sheet in signed for image in sheet.get_images() for box in sheet.get_image_rects(image[7])]
    return float(boxes[0].width / boxes[0].height)


async def test_typed_initials_are_ink_in_their_box(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER).link("starter"))
    box, ink = page.locator(".initials input.line-input"), page.locator(".initials [data-preview] img")
    await box.fill("M.N.")

    is_within = "(ink, box) => ink.offsetHeight > 0 && box.contains(ink) && ink.offsetHeight <= box.clientHeight"
    await expect(ink).to_be_visible()
    assert await ink.evaluate(is_within, await page.locator(".initials [data-typed]").element_handle())
    assert await page.locator(".initials [data-typed]").evaluate("part => part.offsetHeight") <= 80
    await expect(box).to_have_css("color", "rgba(0, 0, 0, 0)")
    await box.fill("")
    await expect(ink).to_have_count(0)
    await expect(box).not_to_have_css("color", "rgba(0, 0, 0, 0)")


async def test_initials_that_were_given_once_are_used_again(house: House, desk: Visitor) -> None:
    body = house.request()
    initials = {"type": "field", "fieldType": "initials", "recipient": "client"}
    body["files"][0]["document"]["blocks"][:0] = [{**initials, "label": label} for label in ("Terms", "Rules")]
    page = await desk.open_link(house.send_of(body).link("client"))
    first, second = page.get_by_role("group", name="Terms"), page.get_by_role("group", name="Rules")
    again = second.get_by_role("button", name="Use my initials from above")
    await expect(again).to_be_hidden()

    await first.get_by_label("Terms", exact=True).fill("R.Ø.")
    await again.click()

    await expect(second.get_by_label("Rules", exact=True)).to_have_value("R.Ø.")
    await expect(again).to_be_hidden()


async def test_drawn_initials_are_copied_to_a_pad_that_was_hidden_again(house: House, desk: Visitor) -> None:
    body = house.request()
    initials = {"type": "field", "fieldType": "initials", "recipient": "client"}
    body["files"][0]["document"]["blocks"][:0] = [{**initials, "label": label} for label in ("Terms", "Rules")]
    page = await desk.open_link(house.send_of(body).link("client"))
    first, second = (page.get_by_role("group", name=label) for label in ("Terms", "Rules"))
    for kind in ("Draw", "Type"):
        await second.get_by_text(kind, exact=True).click()
    await first.get_by_text("Draw", exact=True).click()
    await draw(page, f"#{await first.locator('canvas').get_attribute('id')}")

    await second.get_by_role("button", name="Use my initials from above").click()
    await page.click("[data-view=pages-view]")

    drawn = page.locator("#pages-view .hand img[src^='data:image/svg']")
    await expect(drawn).to_have_count(2)


async def test_of_a_photograph_only_the_ink_remains_and_a_file_that_is_no_picture_is_refused(
    house: House, desk: Visitor
) -> None:
    sent, page = await open_form(house, desk)
    await choose(page, "uploaded")
    await page.set_input_files("#signature-file", {"name": "a.png", "mimeType": "image/png", "buffer": b"no"})
    await expect(page.get_by_role("alert")).to_contain_text("couldn’t read this file as a picture")
    await page.set_input_files("#signature-file", files=[photograph()])
    await expect(page.locator("[data-uploaded] [data-preview] img")).to_be_visible()

    await agree_and_sign(page)
    sent.sign("consultant")
    sent.await_documents()

    (entry,) = house.client.list_documents(sent.id).documents
    with pymupdf.open(stream=house.client.download(entry)) as signed:
        pictures = [signed.extract_image(mask) for page in signed for _, mask, *_ in page.get_images() if mask]
    masks = [Image.open(BytesIO(picture["image"])) for picture in pictures]
    clear = [mask.histogram()[0] / (mask.width * mask.height) for mask in masks]
    assert any(share > 0.8 for share in clear)  # the paper is gone


async def test_everything_can_be_done_with_a_keyboard(house: House, desk: Visitor) -> None:
    sent = house.send()
    page = desk.page
    await page.goto(sent.link("client"))
    await _tab_to(page, "main form button")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#signing")
    for name, value in sent.answers["client"].items():
        await _tab_to(page, f"[name$='/{name}']")
        if value == "true":
            await page.keyboard.press("Space")
        else:
            await page.keyboard.type(str(value))
    await _tab_to(page, "#signature-text")
    await page.keyboard.type("Renée Østergård")
    await _tab_to(page, "#consent")
    await page.keyboard.press("Space")
    await _tab_to(page, "#submit")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#sign")
    await _tab_to(page, "#sign")
    await page.keyboard.press("Enter")

    await page.wait_for_selector(".seal")
    assert sent.now().recipients[0].status == "completed"


async def test_two_people_sign_in_order_and_get_their_copies(house: House, visitor: Visitor) -> None:
    sent = house.send(Example.NEW_STARTER)
    page = await visitor.open_link(sent.link("starter"))
    await fill_text(page)
    await sign_typed(page)
    await expect(page.locator(".wait")).to_contain_text("when everyone has signed")

    page = await visitor.open_link(sent.link("manager"))
    text = page.locator("#text-view")
    await expect(text).to_contain_text("Matilda Mai Nguyễn")
    await expect(text).to_contain_text(FUND[1])
    await page.get_by_label("Manager’s initials").first.fill("J.O’C.")
    await page.get_by_label("First day").first.fill("2026-12-01")
    await page.get_by_label("Trained by").fill("Aroha Williams")
    await sign_typed(page, "Jack O’Connor")
    sent.await_documents()

    await page.wait_for_selector(".downloads a")  # which the page has looked for by itself
    async with page.expect_download() as download:
        await page.click(".downloads a")
    path = await (await download.value).path()
    with pymupdf.open(path) as signed:
        words = " ".join(sheet.get_text() for sheet in signed)
    assert NAME in words
    assert "Aroha Williams" in words


async def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        await page.keyboard.press("Tab")
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no way by keyboard to {selector}")


async def test_the_name_is_filled_in_but_stands_in_no_document_before_it_is_touched(
    house: House, visitor: Visitor
) -> None:
    _, page = await open_form(house, visitor)
    name = page.locator("#signature-text")
    await page.locator("#typed [data-preview] img").wait_for()
    mirrored = page.locator("[data-mirror] img")

    assert await name.input_value() == "Renée Østergård"
    await expect(mirrored).to_have_count(0)
    await name.focus()
    await expect(mirrored).to_have_count(1)


async def test_a_handwriting_is_offered_where_the_script_has_several(house: House, visitor: Visitor) -> None:
    _, page = await open_form(house, visitor)
    styles = page.locator(".styles")

    await page.fill("#signature-text", "ليلى حداد")
    await expect(styles).to_be_hidden()
    await page.fill("#signature-text", "Ольга Петренко")
    await expect(styles).to_be_visible()


async def test_a_handwriting_is_chosen(house: House, visitor: Visitor) -> None:
    _, page = await open_form(house, visitor)
    preview = page.locator("#typed [data-preview] img")
    await preview.wait_for()
    flowing = await preview.get_attribute("src")

    await page.get_by_text("Casual", exact=True).click()

    await expect(preview).not_to_have_attribute("src", flowing or "")
    casual = await preview.get_attribute("src")
    await page.check("#consent")
    await page.click("#submit")
    await page.wait_for_selector("#sign")
    assert await page.locator(".given-hand").last.get_attribute("src") == casual
