"""The language of a page: the reader's choice, that of the recipient, session or organisation, or the browser's.

A choice is part of the address, so that it needs neither cookies nor scripts: `~de` after the token of a recipient's
page, which all addresses below it inherit, and `?language=de` elsewhere.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from fastapi import Request, Response

from domain.shared.languages import ENGLISH, LANGUAGES, find_language
from translations import current_language, in_language, set_language

_TOKENS = ("token", "recipient_id")
"""The parameters of paths that a choice may follow."""

_QUERY = "language"


@dataclass(slots=True)
class Reader:
    """The reader of a page. `address` is that of the page, with `{}` for a language. `choice` is what they chose.

    `has_preference`: they chose none, and the session or its recipient has a language.
    """

    address: str
    choice: str | None
    has_preference: bool = False

    @property
    def suffix(self) -> str:
        """The end of the first part of a recipient's addresses."""
        return f"~{self.choice}" if self.choice else ""

    @property
    def query(self) -> str:
        """The query of the addresses of other pages."""
        return f"?{_QUERY}={self.choice}" if self.choice else ""

    @property
    def links(self) -> Mapping[str, str]:
        """The address of the page in every language."""
        return {language: self.address.format(language) for language in LANGUAGES}


_READER = ContextVar[Reader | None]("reader", default=None)


def current_reader() -> Reader | None:
    """Returns the reader of the page that is being written; None in the app, which is in English."""
    return _READER.get()


def address_suffix() -> str:
    """Returns the end of the first part of a recipient's addresses: the reader's choice of a language."""
    reader = _READER.get()
    return reader.suffix if reader else ""


def prefer_language(language: str | None) -> None:
    """Makes `language`, that of the session or its recipient, apply to the page, unless the reader chose another."""
    reader = _READER.get()
    if reader is not None and language is not None and reader.choice is None:
        reader.has_preference = True
        set_language(language)


@contextmanager
def reading(request: Request) -> Iterator[None]:
    """Makes the language that `request` asks for apply to its page."""
    reader = _read(request)
    token = _READER.set(reader)
    try:
        with in_language(reader.choice or _accepted(request.headers.get("accept-language", ""))):
            yield
    finally:
        _READER.reset(token)


def add_headers(response: Response) -> None:
    """Adds the language to the headers of a page."""
    reader = _READER.get()
    if reader is None or not response.headers.get("content-type", "").startswith("text/html"):
        return
    response.headers["Content-Language"] = current_language()
    if reader.choice is None and not reader.has_preference:
        response.headers.add_vary_header("Accept-Language")


def _read(request: Request) -> Reader:
    """Returns the reader. Takes their choice out of the parameters of the path."""
    path, parameters = request.url.path.replace("{", "%7B").replace("}", "%7D"), request.path_params
    name = next((name for name in _TOKENS if name in parameters), None)
    if name is None:
        choice = request.query_params.get(_QUERY)
        return Reader(f"{path}?{_QUERY}={{}}", choice if choice in LANGUAGES else None)
    token, _, tag = parameters[name].rpartition("~")
    choice = tag if token and tag in LANGUAGES else None
    token = token if choice else parameters[name]
    parameters[name] = token
    before, _, after = path.partition(f"/{token}")
    rest = after.removeprefix(f"~{tag}") if choice else after
    return Reader(f"{before}/{token}~{{}}{rest if request.method == 'GET' else ''}", choice)


def _accepted(header: str) -> str:
    """Returns the first language of the header `Accept-Language` in which there are pages (RFC 9110, 12.5.4)."""
    ranges = []
    for part in header.split(",")[:50]:
        tag, _, weight = part.partition(";")
        ranges.append((-_weight(weight), find_language(tag.strip())))
    return next((language for weight, language in sorted(ranges, key=lambda r: r[0]) if language and weight), ENGLISH)


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
