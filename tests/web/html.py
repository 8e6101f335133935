"""Reads pages as a browser does: their forms, links, labels and words."""

from collections.abc import Mapping
from html.parser import HTMLParser

Attributes = Mapping[str, str | None]
CONTROLS = {"input", "textarea", "select"}
VOID = {"meta", "link", "input", "img", "br", "hr", "wbr"}


class Page(HTMLParser):
    """One page, read. `inputs` are in the order of the page; `words` are all its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, Attributes]] = []
        self.entered: dict[str, str] = {}
        self.words = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag in {"textarea", "select"}:
            self.entered[str(attributes["name"])] = ""
        if tag == "option" and "selected" in attributes:
            self.entered[self._last("select")] = str(attributes["value"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:  # a name of the base class
        self.words += data
        if self.open and self.open[-1] == "textarea":
            # as browsers do: a line break at its very beginning is no part of the text
            self.entered[self._last("textarea")] = data.removeprefix("\n")

    def _last(self, tag: str) -> str:
        return str(self.all(tag)[-1]["name"])

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.tags if name == tag]

    def pictures(self) -> list[Attributes]:
        """The pictures in documents; those of whole pages stand beside them."""
        return [picture for picture in self.all("img") if "/page/" not in str(picture["src"])]

    def input(self, name: str, value: str | None = None) -> Attributes:
        """The input of that name (and that value, for one of several)."""
        found = [
            i for tag in CONTROLS for i in self.all(tag) if i.get("name") == name and value in (None, i.get("value"))
        ]
        assert len(found) == 1, f"{len(found)} inputs are called {name}"
        return found[0]

    def names(self) -> list[str]:
        return [str(attributes["name"]) for tag, attributes in self.tags if tag in CONTROLS and attributes.get("name")]

    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if attributes.get("id")]

    def links(self) -> list[str]:
        """The addresses of all links but those to the page in other languages."""
        return [str(attributes.get("href")) for attributes in self.all("a") if "hreflang" not in attributes]

    def form(self) -> dict[str, str]:
        """What a browser would post if the person pressed the button now."""
        inputs = {
            str(i["name"]): str(i.get("value") or "")
            for i in self.all("input")
            if i.get("name") and (i.get("type") not in {"checkbox", "radio"} or "checked" in i)
        }
        return inputs | self.entered
