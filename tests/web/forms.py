"""The forms of a page, with their inputs, as a browser would post them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

Entries = list[tuple[str, str]]

_TEXTS = {"text", "email", "search", "url", "number", "date", "tel"}


@dataclass(slots=True)
class Form:
    """A form that is posted. `presses` are the names and values of its buttons, `texts` the inputs for typing."""

    path: str
    entries: Entries = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    presses: list[Entries] = field(default_factory=list)
    has_file: bool = False


def read_forms(html: str) -> list[Form]:
    """Returns the forms of a page whose method is POST."""
    return list(_FormParser(html).forms.values())


class _FormParser(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: dict[str, Form] = {}
        self._open = self._select = self._textarea = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = given.get("id") or f"form {len(self.forms)}"
            if given.get("method") == "post":
                self.forms[self._open] = Form(given["action"], has_file="enctype" in given)
            return
        form = self.forms.get(given.get("form", self._open))
        if form is None:
            return
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "button":
            form.presses.append([(name, value)] if name else [])
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given:
            form.entries.append((self._select, value))
        elif tag == "textarea":
            self._textarea = name
            form.entries.append((name, ""))
            form.texts.append(name)
        elif tag == "input":
            _add_input(form, given)

    def handle_data(self, data: str) -> None:  # a name of the base class
        if self._textarea:
            self.forms[self._open].entries[-1] = (self._textarea, data.removeprefix("\n"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = ""
        if tag == "textarea":
            self._textarea = ""


def _add_input(form: Form, given: dict[str, str]) -> None:
    name, kind = given.get("name", ""), given.get("type", "text")
    if not name or kind == "file" or (kind in {"checkbox", "radio"} and "checked" not in given):
        return
    form.entries.append((name, given.get("value", "")))
    if kind in _TEXTS:
        form.texts.append(name)
