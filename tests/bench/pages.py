"""`make bench-pages`: how soon pages are painted in Chromium on a first visit, and what is transferred for them.

The pages take turns with a page of one word. The goals are 300 ms and 150 KB without pictures of pages, which
`tests/browser` asserts.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.async_api import Browser, StorageState

from tests.browser.chromium import start_chromium
from tests.browser.house import House, open_house
from tests.browser.scenes import SCENES
from tests.browser.visitor import at_desk

ROUNDS = 15
ONE_WORD = "a page of one word"
MEASURED = (
    "start", "verify", "invitation", "documents", "review", "signed", "app-sessions", "app-sent",
    "app-new-session-form", "app-new-json", "app-template-active", "administration-users",
)  # fmt: skip
PAINTED = """() => new Promise((tell) => {
  const done = () => {
    const [page] = performance.getEntriesByType("navigation");
    const parts = [page, ...performance.getEntriesByType("resource")];
    const counted = parts.filter((part) => !/[/](page|review)[/]/.test(part.name));
    tell([
      page.responseStart,
      performance.getEntriesByName("first-contentful-paint")[0].startTime,
      counted.reduce((sum, part) => sum + part.transferSize, 0) / 1000,
      counted.length,
    ]);
  };
  new PerformanceObserver((found, self) => {
    if (!found.getEntriesByName("first-contentful-paint").length) return;
    self.disconnect();
    if (document.readyState === "complete") done();
    else addEventListener("load", () => setTimeout(done));
  }).observe({ type: "paint", buffered: true });
})"""


class State(NamedTuple):
    """The address of a page, and the cookies of somebody who may see it."""

    address: str
    cookies: StorageState


class _OneWord(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        page = b"<!doctype html><title>One word</title><p>Word"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def page_of_one_word() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _OneWord) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


async def reach(house: House, browser: Browser, name: str) -> State:
    async with at_desk(browser) as visitor:
        await SCENES[name](house, visitor)
        return State(visitor.page.url, await visitor.page.context.storage_state())


async def visit(browser: Browser, state: State) -> list[float]:
    """Makes a first visit, with the cookies alone. Returns ms to the first byte and paint, KB and files."""
    async with at_desk(browser, storage_state=state.cookies) as visitor:
        await visitor.page.goto(state.address)
        found: list[float] = await visitor.page.evaluate(PAINTED)
        return found


async def measure(house: House, plain: str) -> dict[str, list[list[float]]]:
    async with start_chromium() as browser:
        pages = {ONE_WORD: State(plain, StorageState(cookies=[], origins=[]))}
        pages |= {name: await reach(house, browser, name) for name in MEASURED}
        visits: dict[str, list[list[float]]] = {name: [] for name in pages}
        for number in range(ROUNDS + 1):
            for name in list(pages) if number % 2 else reversed(pages):
                visits[name].append(await visit(browser, pages[name]))
    return {name: found[1:] for name, found in visits.items()}  # the first visit warms


def main() -> None:
    with TemporaryDirectory() as folder, open_house(Path(folder) / "kept") as house, page_of_one_word() as plain:
        visits = asyncio.run(measure(house, plain))
    print("| Page | first byte, ms | first paint, ms | KB | files |\n|---|---|---|---|---|")
    for page, found in visits.items():
        first_byte, painted, size, files = (median(column) for column in zip(*found, strict=True))
        best = min(visit[1] for visit in found)
        print(f"| {page} | {first_byte:.0f} | {painted:.0f} ({best:.0f}) | {size:.1f} | {files:.0f} |")


if __name__ == "__main__":
    main()
