"""The text and the exact pages are two views of one form."""

import re
from pathlib import Path

from api.cli.samples import Sample
from tests.browser.filling import NAME, fill_pages, fill_text, sign_typed, values_of
from tests.browser.house import House, Sent
from tests.browser.scenes.papers import show
from tests.browser.visitor import Visitor
from tests.end_to_end.pdfs import read_text

TEXT, PAGES = "[data-view=text-view]", "[data-view=papers-view]"


async def test_what_is_filled_in_on_the_pages_stands_in_the_text_and_the_other_way_round(
    house: House, visitor: Visitor
) -> None:
    page = await visitor.open_link(house.send(Sample.NEW_STARTER).link("starter"))
    await fill_text(page)
    by_text = await values_of(page)

    await visitor.page.goto("about:blank")
    other = await visitor.open_link(house.send(Sample.NEW_STARTER).link("starter"))
    await show(visitor)
    await fill_pages(other)

    assert await values_of(other) == by_text
    await other.click(TEXT)
    await other.locator("#text-view").get_by_label("Hours a week").fill("30")
    await other.click(PAGES)
    assert await other.locator("#papers-view").get_by_label("Hours a week", exact=True).input_value() == "30"


async def test_both_views_give_the_same_signed_pages(house: House, desk: Visitor, tmp_path: Path) -> None:
    texts = []
    for fill, view in ((fill_text, TEXT), (fill_pages, PAGES)):
        sent = house.send(Sample.NEW_STARTER)
        page = await desk.open_link(sent.link("starter"))
        await page.click(view)
        await fill(page)
        await sign_typed(page)
        sent.sign("manager")
        texts.append(_signed_text(house, sent, tmp_path / "signed.pdf"))

    assert texts[0] == texts[1]
    assert NAME in texts[0]


async def test_a_place_on_the_page_lies_over_the_line_that_is_printed_for_it(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Sample.NEW_STARTER).link("starter"))
    await show(desk)

    paper = await page.locator("#papers-view .page").first.bounding_box()
    place = await page.locator("#papers-view").get_by_label("Full legal name", exact=True).bounding_box()

    assert paper is not None
    assert place is not None
    points = paper["width"] / 595
    assert abs((place["x"] - paper["x"]) / points - 56) < 1  # the left margin
    assert abs(place["width"] / points - 483) < 1  # the content's width


async def test_pages_grow_and_shrink_with_their_places(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Sample.NEW_STARTER).link("starter"))
    await show(visitor)
    paper = page.locator("#papers-view .page").first
    before = await paper.bounding_box()

    await page.click("[data-zoom=in]")
    larger = await paper.bounding_box()
    await page.click("[data-zoom=fit]")
    again = await paper.bounding_box()

    assert before is not None
    assert larger is not None
    assert round(larger["width"] / before["width"], 2) == 1.25
    assert again == before | {"x": again["x"], "y": again["y"]} if again else False


def _signed_text(house: House, sent: Sent, path: Path) -> str:
    sent.await_documents()
    (entry,) = house.client.list_documents(sent.id).documents
    path.write_bytes(house.client.download(entry))
    # the fine print under a signature names its time and its session
    return re.sub(r"·[^·]*·\s*[-0-9a-f\s]{36,}", "", read_text(path))
