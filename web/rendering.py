"""Renders templates to responses. Values are escaped by default."""

from pathlib import Path

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain.session.waiting_for import Sentence, SentenceTime
from layout.text.unicode_rules import reads_backwards
from web.assets import asset_url
from web.texts import APP, PAGES


def direction(text: str) -> str:
    """Returns the direction in which `text` reads, `rtl` or `ltr`, as the PDF has it."""
    return "rtl" if reads_backwards(text) else "ltr"


def with_times(sentence: Sentence) -> Markup:
    """Returns a sentence as HTML, its times as `time` elements, which scripts show in the reader's zone."""
    return Markup().join(
        Markup('<time datetime="{}">{}</time>').format(part.at.isoformat(), part)
        if isinstance(part, SentenceTime)
        else part
        for part in sentence
    )


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals |= {"asset_url": asset_url, "t": PAGES, "a": APP}
_ENVIRONMENT.filters |= {"direction": direction, "with_times": with_times}


def render(template: str, status: int = 200, **context: object) -> HTMLResponse:
    """Returns the page that `template` makes of `context`. Every template has the words of the pages, `t` and `a`."""
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(**context), status)
