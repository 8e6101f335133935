"""The pages of recipients in every language, on a phone of 320 pixels: nothing is wider than it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from domain.texts.languages import LANGUAGES
from tests.browser.house import House
from tests.browser.scenes import SCENES
from tests.browser.visitor import Visitor, on_phone, overflow
from tests.browser.writing import choose

pytestmark = [pytest.mark.browser, pytest.mark.installation]

NARROW = ViewportSize(width=320, height=640)

_TOO_WIDE = """() => [...document.querySelectorAll("main *, header *, footer *, .bar *")]
  .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== "inline")
  .filter((element) => element.matches("button, .button, label, summary, legend, h1, h2, p, li, a, dd, dt, .choice"))
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
  .filter((element) => getComputedStyle(element).overflowX === "visible")
  .map((element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`)"""
"""The texts that run out of their boxes."""

_BROKEN = """() => [...document.querySelectorAll("button, .button, .choice span, summary, h1, h2, dt, label, legend")]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => {
    const broken = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
        if (/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]/u.test(word[0])
          && !element.closest(".choice, button")) continue;
        const range = new Range();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
        if (lines.size > 1) broken.push(`broken in ${element.localName}: ${word[0]}`);
      }
    }
    return broken;
  })"""
"""The words that are broken between letters."""

Step = Callable[[House, Page], Awaitable[None]]


async def _submit(_: House, page: Page) -> None:
    await page.click("#submit")
    await page.wait_for_selector("#problems")


async def _show_pages(_: House, page: Page) -> None:
    await page.click("[data-view=pages-view]")
    await page.wait_for_selector("#pages-view .page img")


async def _draw(_: House, page: Page) -> None:
    await choose(page, "drawn")


async def _upload(_: House, page: Page) -> None:
    await choose(page, "uploaded")


async def _type(_: House, page: Page) -> None:
    await page.fill("#signature-text", "Renée Østergård")
    await page.wait_for_selector("#typed [data-preview] img")


async def _review(_: House, page: Page) -> None:
    await page.check("#consent")
    await page.click("#submit")
    await page.wait_for_selector("#sign")


async def _open_languages(_: House, page: Page) -> None:
    await page.click(".languages summary")


async def _check(house: House, page: Page) -> None:
    pdf = house.client.get_certificate(house.completed().id)
    await page.set_input_files("#file", {"name": "a.pdf", "mimeType": "application/pdf", "buffer": pdf})
    await page.click(".drop + button")
    await page.wait_for_selector(".verdict")
    await page.evaluate("document.querySelectorAll('main details').forEach((details) => details.open = true)")


async def _nothing(_: House, page: Page) -> None:
    await expect(page.locator("h1").first).to_be_visible()


STEPS: Mapping[str, Step] = {
    "invitation": _open_languages,
    "code-wrong": _nothing,
    "documents-with-problems": _submit,
    "pages": _show_pages,
    "signature-typed": _type,
    "signature-drawn": _draw,
    "signature-uploaded": _upload,
    "documents": _nothing,
    "review": _review,
    "declining-without-reason": _nothing,
    "delegating-with-problems": _nothing,
    "approval": _nothing,
    "signed": _nothing,
    "signed-by-all": _nothing,
    "archived": _nothing,
    "replaced-link": _nothing,
    "verify": _check,
    "start": _nothing,
    "no-such-page": _nothing,
    "branded-signing": _nothing,
}
"""What is done again on the pages of these scenes after they have come in another language."""


@pytest.fixture
async def narrow(browser: Browser) -> AsyncIterator[Visitor]:
    async with on_phone(browser, viewport=NARROW, reduced_motion="reduce") as visitor:
        yield visitor


@pytest.mark.parametrize("name", STEPS)
async def test_a_page_fits_a_narrow_phone_in_every_language(house: House, narrow: Visitor, name: str) -> None:
    await SCENES[name](house, narrow)
    page, wide = narrow.page, {}
    for language in LANGUAGES:
        await page.context.set_extra_http_headers({"Accept-Language": language})
        await (page.goto(page.url) if name == "verify" else page.reload())
        assert await page.locator("html").get_attribute("lang") == ("pt-BR" if language == "pt" else language)
        await STEPS[name](house, page)
        if found := [f"{await overflow(page)} px", *await page.evaluate(_TOO_WIDE), *await page.evaluate(_BROKEN)]:
            wide[language] = found
    assert {language: found for language, found in wide.items() if found != ["0 px"]} == {}


async def test_a_text_that_runs_out_of_its_box_is_found(house: House, narrow: Visitor) -> None:
    await SCENES["start"](house, narrow)
    await narrow.page.locator("h1").evaluate("(h1) => (h1.style = 'white-space: nowrap; width: 4rem')")

    assert len(await narrow.page.evaluate(_TOO_WIDE)) > 0
