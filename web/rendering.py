"""Templates to responses. Everything that comes from outside is escaped by default."""

from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain.session.waiting_for import Sentence, SentenceTime
from web.assets import asset_url
from web.texts import Texts, texts_for

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals["asset_url"] = asset_url


def timed(sentence: Sentence) -> Markup:
    """A sentence as markup: its times are times, for scripts that write them in the reader's way."""
    return Markup().join(
        Markup('<time datetime="{}">{}</time>').format(part.at.isoformat(), part)
        if isinstance(part, SentenceTime)
        else part
        for part in sentence
    )


_ENVIRONMENT.filters["timed"] = timed


def texts_of(request: Request) -> Texts:
    """The words in the language that the browser asks for."""
    return texts_for(request.headers.get("accept-language", ""))


def render(request: Request, template: str, status: int = 200, **context: object) -> HTMLResponse:
    """The page that `template` makes of `context`, to which `t`, the texts, is added."""
    page = _ENVIRONMENT.get_template(template).render(t=texts_of(request), **context)
    return HTMLResponse(page, status)
