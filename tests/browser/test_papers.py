"""The text and the exact pages are two views of one form."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from cli.demo.examples import Example
from tests.browser.filling import NAME, fill_pages, fill_text, sign_typed, values_of
from tests.browser.house import House, Sent
from tests.browser.scenes.papers import long_document, show
from tests.browser.visitor import Visitor
from tests.end_to_end.pdfs import read_text

pytestmark = [pytest.mark.browser, pytest.mark.installation]

TEXT, PAGES = "[data-view=text-view]", "[data-view=pages-view]"


@pytest.mark.poppler
async def test_both_views_fill_one_form_and_give_the_same_signed_pages(
    house: House, visitor: Visitor, tmp_path: Path
) -> None:
    texts, values = [], []
    for fill, view in ((fill_text, TEXT), (fill_pages, PAGES)):
        sent = house.send(Example.NEW_STARTER)
        page = await visitor.open_link(sent.link("starter"))
        await page.click(view)
        await fill(page)
        values.append(await values_of(page))
        await sign_typed(page)
        sent.sign("manager")
        texts.append(_signed_text(house, sent, tmp_path / "signed.pdf"))

    assert values[0] == values[1]
    assert texts[0] == texts[1]
    assert NAME in texts[0]


async def test_a_change_in_one_view_is_a_change_in_the_other(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER).link("starter"))
    in_text = page.locator("#text-view").get_by_label("Hours a week")
    on_page = page.locator("#pages-view").get_by_label("Hours a week", exact=True)

    await page.click(PAGES)
    await on_page.fill("20")
    await page.click(TEXT)
    assert await in_text.input_value() == "20"
    await in_text.fill("30")
    await page.click(PAGES)
    assert await on_page.input_value() == "30"


async def test_a_place_on_the_page_lies_over_the_line_that_is_printed_for_it(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await show(desk)

    paper = await page.locator("#pages-view .page").first.bounding_box()
    place = await page.locator("#pages-view").get_by_label("Full legal name", exact=True).bounding_box()

    assert paper is not None
    assert place is not None
    points = paper["width"] / 595
    assert abs((place["x"] - paper["x"]) / points - 56) < 1  # the left margin
    assert abs(place["width"] / points - 483) < 1  # the content's width


async def test_pages_grow_and_shrink_with_their_places(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await show(visitor)
    paper = page.locator("#pages-view .page").first
    before = await paper.bounding_box()

    await page.click("[data-zoom=in]")
    larger = await paper.bounding_box()
    await page.click("[data-zoom=fit]")
    again = await paper.bounding_box()

    assert before is not None
    assert larger is not None
    assert round(larger["width"] / before["width"], 2) == 1.25
    assert again == before | {"x": again["x"], "y": again["y"]} if again else False


async def test_two_fingers_make_pages_larger_and_smaller_where_they_are(house: House, phone: Visitor) -> None:
    page = await phone.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await show(phone)
    shown = page.locator("#zoom output")
    paper = page.locator("#pages-view .page").first
    before = await paper.bounding_box()
    assert before is not None

    await _pinch(page, apart=(80, 200))
    larger = await paper.bounding_box()
    assert larger is not None
    assert larger["width"] / before["width"] == pytest.approx(2.5, abs=0.05)
    await expect(shown).to_have_text("250%")
    # What was between the fingers still is.
    was, now = ((_MIDDLE[1] - box["y"]) / box["height"] for box in (before, larger))
    assert now == pytest.approx(was, abs=0.01)
    assert await page.evaluate("visualViewport.scale") == 1  # the page itself stays as it is

    await _pinch(page, apart=(200, 80))
    await expect(shown).to_have_text("100%")


_MIDDLE = (195, 420)
"""Of a telephone's screen, in pixels."""


async def _pinch(page: Page, apart: tuple[int, int], steps: int = 12) -> None:
    """Two fingers one above the other, that many pixels apart at first and in the end."""
    touch = await page.context.new_cdp_session(page)
    x, y = _MIDDLE
    for step in range(steps + 1):
        half = (apart[0] + (apart[1] - apart[0]) * step / steps) / 2
        fingers = [{"x": x, "y": y - half, "id": 0}, {"x": x, "y": y + half, "id": 1}]
        await touch.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": fingers}
        )
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def _signed_text(house: House, sent: Sent, path: Path) -> str:
    sent.await_documents()
    (entry,) = house.client.list_documents(sent.id).documents
    path.write_bytes(house.client.download(entry))
    # the fine print under a signature names its time and its session, and each page names the session
    return re.sub(r"·[^·]*·\s*[-0-9a-f\s]{36,}", "", read_text(path)).replace(sent.id, "")


async def test_long_documents_say_where_the_reader_is(house: House, desk: Visitor) -> None:
    await long_document(house, desk)
    page = desk.page
    current = page.locator("#outline [aria-current]")

    await page.get_by_role("link", name="6. Warranty").click()
    await expect(current).to_have_text("6. Warranty")
    await page.click("[data-view=pages-view]")
    await expect(page.locator("#outline")).to_be_hidden()
    await page.locator("#pages-view .page").nth(6).evaluate("page => page.scrollIntoView()")
    await expect(page.locator("#page-told")).to_have_text("Page 7 of 18")


async def test_the_room_of_a_field_is_told_while_typing(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    box = page.get_by_label("Home address")
    told = page.locator(".input", has=box).locator("[data-room]")
    room = int(await told.get_attribute("data-room") or "0")

    await box.fill("12 Harbour Street")
    await expect(told).to_have_text(f"17 of about {room} characters")
    await box.fill("x " * room)
    await expect(told).to_contain_text("too long for the space on the page")
