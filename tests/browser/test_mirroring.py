"""Pages for readers from right to left: everything changes sides, nothing runs over the edge; paper stays as it is."""

import pytest
from playwright.async_api import Page, expect

from cli.demo.examples import Example
from tests.browser.accessibility import violations
from tests.browser.filling import fill_text
from tests.browser.house import House
from tests.browser.visitor import Visitor, overflow

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def _open_mirrored(house: House, visitor: Visitor) -> Page:
    page = await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))
    await page.evaluate("document.querySelectorAll('[dir=ltr]:not(input)').forEach((it) => (it.dir = 'rtl'))")
    return page


async def _middle(page: Page, selector: str) -> float:
    box = await page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


async def test_controls_change_sides_and_nothing_runs_over_the_edge(house: House, visitor: Visitor) -> None:
    page = await _open_mirrored(house, visitor)

    assert await overflow(page) == 0
    assert await _middle(page, ".dated button") < await _middle(page, ".dated .line-input")
    assert await _middle(page, ".tick:not(.consent) input") > await _middle(page, ".tick:not(.consent) label")
    assert await violations(page) == []


async def test_a_place_on_paper_stays_where_it_is_printed(house: House, desk: Visitor) -> None:
    page = await _open_mirrored(house, desk)
    await page.click("[data-view=pages-view]")

    paper = await page.locator("#pages-view .page").first.bounding_box()
    place = await page.locator("#pages-view").get_by_label("Full legal name", exact=True).bounding_box()

    assert paper is not None
    assert place is not None
    assert abs((place["x"] - paper["x"]) / paper["width"] - 56 / 595) < 0.005


async def test_values_begin_where_their_labels_do_whatever_their_script(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Example.NEW_STARTER, language="ar").link("starter"))
    await fill_text(page)
    await page.locator("#signature-text").fill("Matilda")
    name = page.locator("#signature-text")
    assert await name.evaluate("input => getComputedStyle(input).textAlign") == "right"
    await page.locator("#consent").check()
    await page.locator("#submit").click()

    values = page.locator(".facts dd")
    await expect(values.first).to_be_visible()
    assert set(await values.evaluate_all("all => all.map((one) => getComputedStyle(one).textAlign)")) == {"right"}


async def test_times_are_written_as_the_reader_does(house: House, desk: Visitor) -> None:
    await desk.page.goto(house.send(expiryDays=30).link("client"))
    time = desk.page.locator("time")
    await expect(time).not_to_contain_text("UTC")
    assert "UTC" in (await time.get_attribute("title") or "")


async def test_words_of_the_page_have_its_direction_and_begin_where_the_field_does(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER, language="ar").link("starter"))
    await page.locator("#submit").click()
    await expect(page.locator("#problems")).to_be_visible()

    words = page.locator("#text-view").locator(".hint, .problem, .room:visible, p.theirs-value:not(.script)")
    shown = await words.evaluate_all("all => all.map((it) => [it.dir, getComputedStyle(it).textAlign].join())")
    assert len(shown) > 10
    assert set(shown) == {"rtl,left"}, "beside English labels"
