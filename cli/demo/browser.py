"""A recipient at a browser: opens the link of the invitation, fills in the form that comes, and submits it.

Knows about the pages only what a browser knows: addresses, cookies and forms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx

from cli.errors import DemoFailed

Answer = str | Sequence[str]
"""What is put into an input: a text, or all of the boxes that are ticked under one name."""

PATIENCE = 180.0
"""Seconds for an answer, a mail or a generated document, on a busy machine too; each takes well under one."""

_CHOSEN_ONLY = frozenset({"checkbox", "radio"})
_NEVER = frozenset({"submit", "button", "reset", "image", "file"})


@dataclass(slots=True)
class Form:
    """A form as it came.

    `values` is what it would post untouched; `choices` the values of its check boxes, round buttons and lists.
    """

    action: str
    method: str
    values: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        return {*self.values, *self.choices}


@dataclass(frozen=True, slots=True)
class Page:
    """A page that a person looks at. `alerts` is what it wants to be noticed first."""

    url: str
    forms: tuple[Form, ...]
    alerts: str

    def form(self) -> Form:
        """The one form that posts; raises `DemoFailed` when there is none."""
        for form in self.forms:
            if form.method == "post":
                return form
        raise DemoFailed(f"The page {self.url} has no form to submit.")


class Browser:
    """One recipient's browser, with cookies of its own."""

    def __init__(self, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(transport=transport, follow_redirects=True, trust_env=False, timeout=PATIENCE)
        self._http.headers["User-Agent"] = "undersign-demo/1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def open(self, url: str) -> Page:
        return self._read(self._http.get(url))

    def submit(self, page: Page, values: Mapping[str, Answer]) -> Page:
        """Submits the form of `page` with `values` in place of its own; where the service leads then."""
        form = page.form()
        unknown = values.keys() - form.names
        if unknown:
            raise DemoFailed(f"The form of {page.url} has no input called {', '.join(sorted(unknown))}.")
        for name in sorted(values.keys() & form.choices.keys()):
            given = values[name]
            chosen = {given} if isinstance(given, str) else set(given)
            if missing := chosen - {*form.choices[name], ""}:
                raise DemoFailed(f"The form of {page.url} does not offer {', '.join(sorted(missing))}.")
        address = urlsplit(page.url)
        answer = self._http.post(
            urljoin(page.url, form.action),
            data={**form.values, **values},
            headers={"Origin": f"{address.scheme}://{address.netloc}"},
        )
        return self._read(answer)

    def _read(self, answer: httpx.Response) -> Page:
        reader = _PageReader()
        reader.feed(answer.text)
        alerts = " ".join(reader.alerts.split())
        if not answer.is_success:
            what = alerts or " ".join(reader.text.split())
            raise DemoFailed(f"The page {answer.url.path} answered {answer.status_code}: {what[:2000]}")
        return Page(str(answer.url), tuple(reader.forms), alerts)


class _PageReader(HTMLParser):
    """Collects the forms of a page, its text, and the text of its alerts."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.text = ""
        self.alerts = ""
        self._form: Form | None = None
        self._alert_depth = 0
        self._list = ""  # the name of the list that is being read
        self._area = ""  # and of the text area

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is not None:
            self._read_control(self._form, tag, given)
        if tag == "div" and (self._alert_depth or given.get("role") == "alert"):
            self._alert_depth += 1

    def _read_control(self, form: Form, tag: str, given: Mapping[str, str]) -> None:
        if tag == "input" and given.get("name"):
            _add_input(form, given)
        elif tag == "textarea":
            self._area = given.get("name", "")
            form.values[self._area] = [""]
        elif tag == "select":
            self._list = given.get("name", "")
        elif tag == "option":
            value = given.get("value", "")
            form.choices.setdefault(self._list, []).append(value)
            if "selected" in given or self._list not in form.values:
                form.values[self._list] = [value]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""
        if tag == "form":
            self._form = None
        elif tag == "div" and self._alert_depth:
            self._alert_depth -= 1

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "
        if self._alert_depth:
            self.alerts += f"{data} "
        if self._form is not None and self._area:
            self._form.values[self._area] = [data.removeprefix("\n")]  # the first line break is the markup's


def _add_input(form: Form, given: Mapping[str, str]) -> None:
    name, kind = given["name"], given.get("type", "text").lower()
    if kind in _NEVER:
        return
    if kind not in _CHOSEN_ONLY:
        form.values[name] = [given.get("value", "")]
        return
    value = given.get("value", "on")
    form.choices.setdefault(name, []).append(value)
    if "checked" in given:
        form.values.setdefault(name, []).append(value)
