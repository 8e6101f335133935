"""The documentation as pages of the service: every page, every link, and every heading that a link names."""

import re
from collections.abc import Mapping

import pytest

from tests import ROOT
from tests.web.desk import Desk
from tests.web.html import Page
from web.help_page import FOR_PEOPLE

DOCS = ROOT / "docs"
NAMES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))


async def read_all(desk: Desk) -> Mapping[str, Page]:
    browser = desk.browser()
    answers = {name: await browser.get(f"/help/{name}") for name in NAMES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {f"/help/{name}": Page(answer.text) for name, answer in answers.items()}


def named(page: Page) -> set[str]:
    return {str(attributes["id"]) for _, attributes in page.tags if "id" in attributes}


async def test_every_link_and_picture_leads_somewhere(desk: Desk) -> None:
    pages = await read_all(desk)
    pictures = set()
    for path, page in pages.items():
        for link in page.links():
            address, _, heading = link.partition("#")
            if not link.startswith(("http", "/app", "/docs", "None")):  # None: out of the documentation
                assert heading in {"", *named(pages[address or path])}, (path, link)
        pictures |= {str(picture["src"]) for picture in page.all("img")}
    answers = [await desk.browser().get(picture) for picture in sorted(pictures)]

    assert len(pictures) > 5
    assert {(answer.status_code, answer.headers["content-type"]) for answer in answers} == {(200, "image/png")}


async def test_the_links_of_the_app_name_pages_and_headings(desk: Desk) -> None:
    pages = await read_all(desk)
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "web/templates").rglob("*.html")]
    links = {link for text in texts for link in re.findall(r'href="(/help/[^"{]+)"', text)}

    assert links
    for link in links:
        address, _, heading = link.partition("#")
        assert heading in {"", *named(pages[address])}, link
    assert {f"/help/{name}" for name in FOR_PEOPLE} <= set(pages["/help/app"].links())


@pytest.mark.parametrize("name", ["none", "../README", "images/none.png", "certificate.schema.json", "App"])
async def test_other_names_are_not_found(desk: Desk, name: str) -> None:
    assert (await desk.browser().get(f"/help/{name}")).status_code == 404


async def test_help_begins_with_the_app(desk: Desk) -> None:
    first = await desk.browser().get("/help")
    assert first.headers["location"] == "/help/app"
    assert "<h1" in (await desk.browser().get("/help/app")).text
