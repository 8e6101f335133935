"""Templates to responses. Everything that comes from outside is escaped by default."""

import re
from datetime import UTC, datetime
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from api.pages.assets import asset
from api.pages.texts import Texts, texts_for

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals["asset"] = asset

_WRITTEN_MOMENT = re.compile(r"(\d\d [A-Z][a-z]+ \d{4} \d\d:\d\d(:\d\d)?) UTC")


def timed(sentence: str) -> Markup:
    """A sentence of `waiting_for` as markup: its times are times, for scripts that write them in the reader's way."""
    said, rest = Markup(), 0
    for found in _WRITTEN_MOMENT.finditer(sentence):
        form = "%d %B %Y %H:%M:%S" if found[2] else "%d %B %Y %H:%M"
        at = datetime.strptime(found[1], form).replace(tzinfo=UTC)
        said += sentence[rest : found.start()]
        said += Markup('<time datetime="{}">{}</time>').format(at.isoformat(), found[0])
        rest = found.end()
    return said + sentence[rest:]


_ENVIRONMENT.filters["timed"] = timed


def texts_of(request: Request) -> Texts:
    """The words in the language that the browser asks for."""
    return texts_for(request.headers.get("accept-language", ""))


def render(request: Request, template: str, status: int = 200, **context: object) -> HTMLResponse:
    """The page that `template` makes of `context`, to which `t`, the texts, is added."""
    page = _ENVIRONMENT.get_template(template).render(t=texts_of(request), **context)
    return HTMLResponse(page, status)
