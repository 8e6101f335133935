"""`make bench-pages`: how soon pages are painted in Chromium on a first visit, and how much is transferred for them, in
turns with a page of one word. Writes `build/bench-pages.json` too.
"""

import argparse
import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Browser, StorageState, expect

from api.cli.samples import Sample
from tests.browser.app import enter, path_of
from tests.browser.chromium import start_chromium
from tests.browser.filling import NAME, fill_text
from tests.browser.house import House, open_house
from tests.browser.visitor import Visitor, at_desk

RESULT = Path(__file__).parents[2] / "build" / "bench-pages.json"
BARE = "a page of one word"
PAINTED = """() => new Promise((tell) => {
  const done = () => {
    const [page] = performance.getEntriesByType("navigation");
    const parts = [page, ...performance.getEntriesByType("resource")];
    const counted = parts.filter((part) => !/[/](page|review)[/]/.test(part.name));
    tell({
      answered: page.responseStart,
      painted: performance.getEntriesByName("first-contentful-paint")[0].startTime,
      bytes: counted.reduce((sum, part) => sum + part.transferSize, 0),
      files: counted.length,
    });
  };
  new PerformanceObserver((found, self) => {
    if (!found.getEntriesByName("first-contentful-paint").length) return;
    self.disconnect();
    if (document.readyState === "complete") done();
    else addEventListener("load", () => setTimeout(done));
  }).observe({ type: "paint", buffered: true });
})"""

Measured = Mapping[str, float]
State = tuple[str, StorageState]
"""The address of a page, and the cookies of whoever may see it."""


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
def bare_page() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _OneWord) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


async def states(house: House, browser: Browser, bare: str) -> dict[str, State]:
    """Every page that is measured."""

    async def reach(go: Callable[[Visitor], Awaitable[Any]]) -> State:
        async with at_desk(browser) as visitor:
            await go(visitor)
            return visitor.page.url, await visitor.page.context.storage_state()

    async def agreement(visitor: Visitor) -> None:
        page = await visitor.open_link(house.send(Sample.AGREEMENT).link("client"))
        await page.wait_for_load_state("load")

    starter = house.send(Sample.NEW_STARTER)
    link = starter.link("starter")
    return {
        BARE: await reach(lambda visitor: visitor.page.goto(bare)),
        "front door": await reach(lambda visitor: visitor.page.goto(house.url)),
        "invitation": await reach(lambda visitor: visitor.page.goto(link)),
        "signing page, a form of every type": await reach(lambda visitor: visitor.open_link(link)),
        "signing page, an agreement": await reach(agreement),
        "signing page, all filled in": await reach(lambda visitor: _filled(house, visitor)),
        "list of sessions": await reach(lambda visitor: enter(house, visitor)),
        "session": await reach(lambda visitor: enter(house, visitor, path_of(starter))),
        "check of a PDF": await reach(lambda visitor: visitor.page.goto(f"{house.url}/verify")),
    }


async def _filled(house: House, visitor: Visitor) -> None:
    page = await visitor.open_link(house.send(Sample.NEW_STARTER).link("starter"))
    await page.wait_for_load_state("load")
    await fill_text(page)
    await page.fill("#signature-text", NAME)
    await expect(page.locator("#saved")).to_have_text("Saved")


async def visit(browser: Browser, state: State) -> Measured:
    """One first visit: cookies of before, and nothing else that a browser keeps."""
    address, cookies = state
    async with at_desk(browser, storage_state=cookies) as visitor:
        await visitor.page.goto(address)
        found: Measured = await visitor.page.evaluate(PAINTED)
        return found


async def measure(house: House, bare: str, rounds: int) -> dict[str, dict[str, float]]:
    async with start_chromium() as browser:
        pages = await states(house, browser, bare)
        found: dict[str, list[Measured]] = {name: [] for name in pages}
        for number in range(rounds + 1):
            for name in list(pages) if number % 2 else reversed(pages):
                measured = await visit(browser, pages[name])
                if number:  # the first round warms
                    found[name].append(measured)
    return {name: facts(visits) for name, visits in found.items()}


def facts(visits: list[Measured]) -> dict[str, float]:
    """Medians, and the soonest: what the page takes when nothing else is done on the machine."""
    painted = [one["painted"] for one in visits]
    return {
        "visits": len(visits),
        "answered, ms": round(median(one["answered"] for one in visits)),
        "painted, ms": round(median(painted)),
        "painted at best, ms": round(min(painted)),
        "KB": round(median(one["bytes"] for one in visits) / 1000, 1),
        "files": median(one["files"] for one in visits),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder, open_house(Path(folder) / "kept") as house, bare_page() as bare:
        found = asyncio.run(measure(house, bare, chosen.rounds))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2))
    names = list(next(iter(found.values())))
    print(f"{'':36}" + "".join(f"{name:>21}" for name in names))
    for page, row in found.items():
        print(f"{page:36}" + "".join(f"{row[name]:>21}" for name in names))


if __name__ == "__main__":
    main()
