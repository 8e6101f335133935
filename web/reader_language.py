"""The language of a page: the reader's choice, that of the recipient, session or organisation, or the browser's.

A choice is part of the address, so that it needs neither cookies nor scripts: `~de` after the token of a recipient's
page, which all addresses below it inherit, and `?language=de` elsewhere.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Request, Response

from application.translations import current_language, in_language, set_language
from domain.texts.languages import ENGLISH, LANGUAGES, TAGS, find_language, is_chinese

_OF_RECIPIENT = re.compile(r"(/(?:sign|open|signing)/)([^/~]+)(?:~([^/]*))?(/.*)?")
"""The path of a recipient's page. The choice of a language may follow the token; an unknown one is ignored."""

_QUERY = "language"

_QUALITY = re.compile(r"(?:^|;)\s*q\s*=\s*([^;\s]*)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{0,10})?|\.\d{1,10}", re.ASCII)


@dataclass(slots=True)
class Reader:
    """The reader of a page. `address` is that of the page, with `{}` for a language; `choice` is the chosen language.

    `has_preference`: the reader chose none, and the page is in the language of the session or its recipient.
    """

    address: str
    choice: str | None
    has_preference: bool = False

    @property
    def suffix(self) -> str:
        """The suffix of the token in a recipient's addresses, such as `~de`; empty without a choice."""
        return f"~{self.choice}" if self.choice else ""

    @property
    def query(self) -> str:
        """The query in the addresses of other pages, such as `?language=de`; empty without a choice."""
        return f"?{_QUERY}={self.choice}" if self.choice else ""

    @property
    def links(self) -> Mapping[str, str]:
        """The address of the page in every language."""
        return {language: self.address.format(language) for language in LANGUAGES}


_READER = ContextVar[Reader | None]("reader", default=None)


def current_reader() -> Reader | None:
    """Returns the reader of the page that is being rendered; None in the app, which is in English."""
    return _READER.get()


def address_suffix() -> str:
    """Returns the suffix of the token in a recipient's addresses; empty if the reader chose no language."""
    reader = _READER.get()
    return reader.suffix if reader else ""


def prefer_language(language: str | None) -> None:
    """Sets the language of the page to `language`, that of the session or recipient, unless the reader chose one."""
    reader = _READER.get()
    if reader is not None and language is not None and reader.choice is None:
        reader.has_preference = True
        set_language(language)


@contextmanager
def reading(request: Request) -> Iterator[None]:
    """Sets the reader and the language of the page for `request`, within the context."""
    reader = _read(request)
    token = _READER.set(reader)
    try:
        with in_language(reader.choice or _accepted(request.headers.get("accept-language", ""))):
            yield
    finally:
        _READER.reset(token)


def add_headers(response: Response) -> None:
    """Adds the headers about the language to an HTML page."""
    reader = _READER.get()
    if reader is None or not response.headers.get("content-type", "").startswith("text/html"):
        return
    response.headers["Content-Language"] = TAGS.get(current_language(), current_language())
    if reader.choice is None and not reader.has_preference:
        response.headers.add_vary_header("Accept-Language")


def _read(request: Request) -> Reader:
    """Returns the reader. Removes the choice of a language from the path parameters of `request`."""
    path = "/" + quote(request.scope["path"]).lstrip("/")  # two slashes would begin the address of another host
    page = _OF_RECIPIENT.fullmatch(path)
    if page is None:
        return Reader(f"{path}?{_QUERY}={{}}", find_language(request.query_params.get(_QUERY, "")))
    kind, token, choice, rest = page.groups(default="")
    for name, value in request.path_params.items():
        if str(value).startswith(f"{token}~"):
            request.path_params[name] = token
    is_shown = request.method == "GET"  # the address of a form may not respond to GET
    return Reader(f"{kind}{token}~{{}}{rest if is_shown else ''}", find_language(choice))


def _accepted(header: str) -> str:
    """Returns the preferred language of the header `Accept-Language` that pages have (RFC 9110, 12.5.4)."""
    ranges = []
    for part in header.split(",")[:50]:
        tag, _, parameters = part.partition(";")
        ranges.append((_weight(parameters), tag.strip()))
    wanted = [tag for weight, tag in sorted(ranges, key=lambda r: -r[0]) if weight]
    chinese = next((tag for tag in wanted if is_chinese(tag)), "")
    # Browsers add `zh` to `zh-TW`: it stands for the script of the tag before it.
    readable = (tag for tag in wanted if tag.lower() != "zh" or find_language(chinese))
    return next(filter(None, map(find_language, readable)), ENGLISH)


def _weight(parameters: str) -> float:
    """Returns the weight of a language range, from 0 to 1; 1 if there is none, 0 if it is no number."""
    found = _QUALITY.search(parameters)
    if found is None:
        return 1.0
    return min(float(found[1]), 1.0) if _NUMBER.fullmatch(found[1]) else 0.0
