"""Renders templates to HTML responses."""

import re
from datetime import datetime, timedelta
from pathlib import Path

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from application.role_rights import scopes_now
from application.translations import current_language
from application.translations.localised_formats import format_person
from domain.session.session import Session
from domain.session.waiting_for import Sentence, SentenceTime
from domain.texts.browser_names import browser_name
from domain.texts.languages import LANGUAGES, TAGS
from layout.text.bidi import reads_backwards
from web.assets import asset_url
from web.reader_language import current_reader
from web.texts import APP, PAGES

SHOW = "show"
"""The member of a posted form that is to be shown in another language, with all that was typed. Nothing is done."""

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_MAX_LENGTH = 7 * _DAY
"""From this distance on, the day is shown instead of a number of days."""


def relative_time(at: datetime, now: datetime) -> str:
    """Returns how long ago `at` was, or how long it is until `at`; from a week on, the day.

    Days are those of a calendar in UTC. `app.js` counts them in the reader's time zone.
    """
    words = APP.table("relative_times")
    apart = abs(at - now)
    if apart >= _MAX_LENGTH:
        return f"{at.day} {at:%b %Y}" if at.year != now.year else f"{at.day} {at:%b}"
    if apart < _MINUTE:
        return words["now"]
    unit, name = next((u, n) for u, n in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")) if apart >= u)
    count = abs((at.date() - now.date()).days) if unit == _DAY else apart // unit
    direction = "ago" if at <= now else "in"
    return words[f"{direction}_{name}{'_one' if count == 1 else ''}"].replace("{count}", str(count))


def direction(text: str) -> str:
    """Returns the direction of `text`, `rtl` or `ltr`, as in the PDF."""
    return "rtl" if reads_backwards(text) else "ltr"


def asker(session: Session) -> str:
    """Returns who asks for signatures, in the language of the page: `Ada Lovelace at Northwind`, or `Northwind`."""
    name = session.sender.name if session.sender else None
    return format_person(name, session.organisation_name, current_language())


def breakable(address: str) -> Markup:
    """Returns an email address as HTML with line break opportunities after its `@` and before its dots."""
    return Markup("<wbr>").join(re.split(r"(?<=@)(?=.)|(?<=.)(?=\.)", address))


def with_times(sentence: Sentence) -> Markup:
    """Returns a sentence as HTML. Its times are `time` elements, which scripts show in the reader's time zone."""
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
_ENVIRONMENT.globals |= {
    "asset_url": asset_url,
    "t": PAGES,
    "a": APP,
    "languages": LANGUAGES,
    "language_tags": TAGS,
    "reader": current_reader,
    "sender": None,
    "host_page": None,
    "act": "loaded",
    "typed_in": None,
}
_ENVIRONMENT.filters |= {
    "asker": asker,
    "breakable": breakable,
    "browser_name": browser_name,
    "direction": direction,
    "with_times": with_times,
    "is_days": lambda apart: abs(apart) >= _DAY,
    "relative": relative_time,
    "scopes_now": scopes_now,
}


def render(template: str, status: int = 200, **context: object) -> HTMLResponse:
    """Renders `template` with `context`. Every template has the texts of the pages (`t`) and of the app (`a`).

    On a recipient's page, `sender` is the identity of the organisation (`web.sender_identity`), `host_page` the host
    page (`web.security_headers`), and `act` the event that is reported to the host page. `typed_in` is the address,
    below `here`, of the form `typed`: the menu of languages posts it with the member `show`, so that its inputs are
    kept.
    """
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(**context), status)
