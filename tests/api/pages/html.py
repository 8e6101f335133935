"""Reads pages as a browser does: their forms, links, labels and words."""

from collections.abc import Mapping
from html.parser import HTMLParser

Attributes = Mapping[str, str | None]
VOID = {"meta", "link", "input", "img", "br", "hr"}


class Page(HTMLParser):
    """One page, read. `inputs` are in the order of the page; `words` are all its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, Attributes]] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:  # a name of the base class
        self.words += data

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.tags if name == tag]

    def input(self, name: str, value: str | None = None) -> Attributes:
        """The input of that name (and that value, for one of several)."""
        found = [i for i in self.all("input") if i.get("name") == name and value in (None, i.get("value"))]
        assert len(found) == 1, f"{len(found)} inputs are called {name}"
        return found[0]

    def names(self) -> list[str]:
        return [str(attributes["name"]) for attributes in self.all("input")]

    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if attributes.get("id")]

    def links(self) -> list[str]:
        return [str(attributes.get("href")) for attributes in self.all("a")]

    def form(self) -> dict[str, str]:
        """What a browser would post if the person pressed the button now."""
        return {
            str(i["name"]): str(i.get("value") or "")
            for i in self.all("input")
            if i.get("type") not in {"checkbox", "radio"} or "checked" in i
        }
