"""A page of another site that frames signing pages, in a browser that keeps cookies from frames."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.async_api import FrameLocator, Page, expect

from cli.demo.examples import Example
from tests import ROOT
from tests.browser.filling import fill_text
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]

EXAMPLE = ROOT / "examples" / "embedded-signing.html"


class Shop(BaseHTTPRequestHandler):
    """Serves one page."""

    def __init__(self, page: list[str], *args: object) -> None:
        self._page = page
        super().__init__(*args)  # type: ignore[arg-type]  # of the server

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self._page[0].encode() if self.path == "/" else b"")

    def log_message(self, format: str, *args: object) -> None:  # as the base
        """Logs nothing."""


@contextmanager
def shop(page: list[str]) -> Iterator[str]:
    """A site that serves `page` at `localhost`, which is another site than 127.0.0.1. Yields its origin."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Shop, page))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def example(house: House, address: str) -> str:
    page = EXAMPLE.read_text("utf-8").replace("https://sign.example.com/open/...", address)
    return page.replace("https://sign.example.com", house.url)


def address_of(house: House, sent: Sent, origin: str, key: str = "starter") -> str:
    recipient = sent.recipient(key).recipient_id
    return house.client.create_signing_url(sent.id, recipient, origin=origin).url


async def open_shop(house: House, visitor: Visitor, page: list[str], origin: str) -> tuple[Sent, FrameLocator]:
    """The example page, with the documents of a new session in its frame."""
    house.client.save_frame_origins([origin])
    body = house.request(Example.NEW_STARTER)
    for recipient in body["recipients"]:
        recipient["delivery"] = "none"
    sent = house.send_of(body)
    page[0] = example(house, address_of(house, sent, origin))
    await visitor.page.goto(origin)
    return sent, visitor.page.frame_locator("iframe")


async def height_of(page: Page) -> float:
    return float(await page.eval_on_selector("iframe", "frame => frame.getBoundingClientRect().height"))


async def test_a_recipient_signs_within_a_page_of_another_site(house: House, visitor: Visitor) -> None:
    page = [""]
    with shop(page) as origin:
        sent, frame = await open_shop(house, visitor, page, origin)
        await expect(frame.get_by_label("Full legal name")).to_be_visible()
        height = await height_of(visitor.page)
        inner = await frame.locator("body").evaluate("body => body.getBoundingClientRect().height")

        bar = frame.locator("#progress")
        await expect(bar).to_be_in_viewport(ratio=0.9)
        await visitor.page.mouse.wheel(0, 300)
        await expect(bar).to_be_in_viewport(ratio=0.9)

        await fill_text(frame)
        await frame.locator("#signature-text").fill("Matilda")
        await frame.locator("#consent").check()
        await frame.locator("#submit").click()
        await expect(frame.locator("h1")).to_be_in_viewport()
        await frame.locator("#sign").click()

        await expect(visitor.page.locator("#state")).to_have_text("Thank you, you have signed.")
        assert abs(height - inner) < 2
        assert await height_of(visitor.page) < height
        assert await visitor.page.context.cookies() == []
        starter = next(one for one in sent.now().recipients if one.key == "starter")
        assert (starter.status, starter.delivery) == ("completed", "none")


async def test_declining_and_an_address_that_was_used_are_reported(house: House, desk: Visitor) -> None:
    page = [""]
    with shop(page) as origin:
        _, frame = await open_shop(house, desk, page, origin)
        await frame.locator(".instead a").click()
        await frame.locator("#reason").fill("The hours are wrong.")
        await frame.locator("button.grave").click()
        await expect(desk.page.locator("#state")).to_have_text("You have declined.")

        await desk.page.reload()
        await expect(desk.page.locator("#state")).to_have_text("This has expired. Reload the page to continue.")
    desk.errors[:] = [error for error in desk.errors if "410" not in error]


async def test_a_page_that_is_not_listed_shows_nothing(house: House, desk: Visitor) -> None:
    page = [""]
    with shop(page) as origin, shop(page) as other:
        _, frame = await open_shop(house, desk, page, origin)
        await expect(frame.locator("#signing")).to_be_visible()
        sent = house.send(Example.NEW_STARTER)
        page[0] = example(house, address_of(house, sent, origin))

        await desk.page.goto(other)

        await expect(frame.locator("#signing")).to_have_count(0)
    assert any("frame-ancestors" in error for error in desk.errors)
    desk.errors.clear()
