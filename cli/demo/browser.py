"""A recipient's browser: opens pages, fills in their forms and submits them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx
from lxml import html

from cli.output import DemoFailed

Answer = str | Sequence[str]
"""The value of an input, or the values of all ticked boxes of one name."""

WAIT_SECONDS = 180.0
"""Limit for a response, a mail or a generated document on a busy machine; each takes well under a second."""

_NOT_POSTED = frozenset({"submit", "button", "reset", "image", "file"})


@dataclass(slots=True)
class Form:
    """A form of a page. `values` are its initial values, `choices` the options of boxes, radio buttons and lists."""

    action: str
    method: str
    values: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        return {*self.values, *self.choices}


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its forms and the text of its alerts."""

    url: str
    forms: tuple[Form, ...]
    alerts: str

    def form(self) -> Form:
        """Returns the first form that posts; raises `DemoFailed` if there is none."""
        form = next((form for form in self.forms if form.method == "post"), None)
        if form is None:
            raise DemoFailed(f"The page {self.url} has no form to submit.")
        return form


class Browser:
    """A client that keeps cookies and follows redirects."""

    def __init__(self, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(transport=transport, follow_redirects=True, trust_env=False, timeout=WAIT_SECONDS)
        self._http.headers["User-Agent"] = "undersign-demo/1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def open(self, url: str) -> Page:
        return _read_page(self._send(lambda: self._http.get(url)))

    def submit(self, page: Page, values: Mapping[str, Answer]) -> Page:
        """Submits the form of `page` with `values` in place of its own, and returns the page that follows."""
        form = page.form()
        if unknown := values.keys() - form.names:
            raise DemoFailed(f"The form of {page.url} has no input called {', '.join(sorted(unknown))}.")
        for name in sorted(values.keys() & form.choices.keys()):
            chosen = [values[name]] if isinstance(values[name], str) else values[name]
            if missing := {*chosen} - {*form.choices[name], ""}:
                raise DemoFailed(f"The form of {page.url} does not offer {', '.join(sorted(missing))}.")
        address = urlsplit(page.url)
        origin = {"Origin": f"{address.scheme}://{address.netloc}"}
        action, data = urljoin(page.url, form.action), {**form.values, **values}
        return _read_page(self._send(lambda: self._http.post(action, data=data, headers=origin)))

    def _send(self, request: Callable[[], httpx.Response]) -> httpx.Response:
        """Sends the request, and repeats it while the service responds with 503 and `Retry-After`."""
        until = time.monotonic() + WAIT_SECONDS
        while True:
            response = request()
            pause = response.headers.get("retry-after", "")
            is_later = response.status_code == httpx.codes.SERVICE_UNAVAILABLE and pause.isdigit()
            if not is_later or time.monotonic() + int(pause) > until:
                return response
            time.sleep(int(pause))


def _read_page(response: httpx.Response) -> Page:
    root = html.document_fromstring(response.text or "<p>")
    alerts, body = (
        " ".join(" ".join(root.xpath(f"{part}//text()")).split()) for part in ("//div[@role='alert']", "//body")
    )
    if not response.is_success:
        raise DemoFailed(f"The page {response.url.path} answered {response.status_code}: {(alerts or body)[:2000]}")
    return Page(str(response.url), tuple(map(_read_form, root.forms)), alerts)


def _read_form(element: html.FormElement) -> Form:
    form = Form(element.get("action", ""), element.method.lower())
    for control in element.inputs:
        name, kind = control.name, control.get("type", "")
        if not name or kind in _NOT_POSTED:
            continue
        if kind in {"checkbox", "radio"}:
            value = control.get("value", "on")
            form.choices.setdefault(name, []).append(value)
            if control.checked:
                form.values.setdefault(name, []).append(value)
        else:
            form.values[name] = [(control.value or "").removeprefix("\n")]
            if control.tag == "select":
                form.choices[name] = control.value_options
    return form
