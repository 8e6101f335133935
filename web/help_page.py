"""`/help`: the documentation of this version as pages, so that links of the app lead to the words that explain it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from fastapi import Response
from fastapi.responses import FileResponse, RedirectResponse
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from web.app.app_router import AppRoute
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ, page_router

_FOLDER = Path(__file__).parents[1] / "docs"
_PAGES: Mapping[str, Path] = {
    path.relative_to(_FOLDER).with_suffix("").as_posix(): path for path in sorted(_FOLDER.rglob("*.md"))
}
_IMAGES: Mapping[str, Path] = {path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*.png")}
FOR_PEOPLE = ("app", "signing", "templates", "block-documents", "values", "verification", "access")
"""The pages in the navigation."""

_NOT_IN_IDS = re.compile(r"[^\w\- ]")
_PARSER = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")

router = page_router("/help", AppRoute)


class _HelpPage(NamedTuple):
    title: str
    content: Markup


@router.api_route("", methods=READ)
async def show_first_page() -> Response:
    return RedirectResponse("/help/app")


@router.api_route("/{name:path}", methods=READ)
async def show_page(name: str) -> Response:
    """Shows a page, or an image of one. Names are never used as paths."""
    if name in _IMAGES:
        return FileResponse(_IMAGES[name])
    if name not in _PAGES:
        raise PageNotFound
    nav = {known: _read(known).title for known in FOR_PEOPLE}
    return render("help.html", name=name, help=_read(name), nav=nav)


@cache
def _read(name: str) -> _HelpPage:
    tokens = _PARSER.parse(_PAGES[name].read_text(encoding="utf-8"))
    title = _name_headings(tokens)
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide table scrolls, also by keyboard
    for token in _links_of(tokens):
        attribute = "src" if token.type == "image" else "href"
        address = _address_of(str(token.attrGet(attribute) or ""), name)
        token.attrs = {**token.attrs, attribute: address} if address else {}
    return _HelpPage(title, Markup(_PARSER.renderer.render(tokens, _PARSER.options, {})))  # noqa: S704  # our own files


def _name_headings(tokens: Sequence[Token]) -> str:
    """Gives each heading its id, as the site of the documentation does. Returns the text of the first one."""
    title, taken = "", set[str]()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        text = "".join(part.content for part in inline.children or ())
        title = title or text
        plain = _NOT_IN_IDS.sub("", text.strip().lower()).replace(" ", "-")
        number = sum(known == plain or known.startswith(f"{plain}_") for known in taken)
        taken.add(identifier := f"{plain}_{number}" if number else plain)
        opening.attrSet("id", identifier)
    return title


def _links_of(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in {"link_open", "image"}:
            yield token
        yield from _links_of(token.children or ())


def _address_of(target: str, page: str) -> str:
    """Returns the address of a link on `page`; empty if it leads out of the documentation."""
    path, mark, fragment = target.partition("#")
    if not path or "://" in path:
        return target
    name = normpath(join(dirname(page), path))
    if name in _IMAGES:
        return f"/help/{name}"
    known = name.removesuffix(".md")
    return f"/help/{known}{mark}{fragment}" if known in _PAGES else ""
