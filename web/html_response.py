"""Renders templates to HTML responses, and the security headers of every page."""

import re
from collections.abc import Mapping
from pathlib import Path

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from application.roles import scopes_now
from domain.session.waiting_for import Sentence, SentenceTime
from domain.shared.languages import LANGUAGES
from layout.text.unicode_properties import reads_backwards
from web.assets import asset_url
from web.reader_language import current_reader
from web.relative_time import relative_time
from web.texts import APP, PAGES

POLICY: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self' data:",  # data: a drawing, shown again after a mistake in the form, and pages of previews
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def direction(text: str) -> str:
    """Returns the direction in which `text` reads, `rtl` or `ltr`, as the PDF has it."""
    return "rtl" if reads_backwards(text) else "ltr"


def breakable(address: str) -> Markup:
    """Returns an email address as HTML that breaks after its `@` and before its dots, if it has to."""
    return Markup("<wbr>").join(re.split(r"(?<=@)(?=.)|(?<=.)(?=\.)", address))


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
_ENVIRONMENT.globals |= {
    "asset_url": asset_url,
    "t": PAGES,
    "a": APP,
    "languages": LANGUAGES,
    "reader": current_reader,
    "sender": None,
    "host_page": None,
    "act": "loaded",
}
_ENVIRONMENT.filters |= {
    "breakable": breakable,
    "direction": direction,
    "with_times": with_times,
    "relative": relative_time,
    "scopes_now": scopes_now,
}


def render(template: str, status: int = 200, **context: object) -> HTMLResponse:
    """Returns the page that `template` makes of `context`. Every template has the words of the pages, `t` and `a`.

    `sender` (`web.sender_identity`) is how the organisation of a recipient's page appears. `host_page`
    (`web.host_page`) is the page that frames it, and `act` what it reports to that page.
    """
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(**context), status)


def serialise_policy(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def policy_with_form_target(origin: str) -> str:
    """Returns the policy of a page whose form redirects to `origin`: browsers apply `form-action` to redirects too."""
    return serialise_policy({**POLICY, "form-action": f"{POLICY['form-action']} {origin}"})


POLICY_WITH_FRAME = serialise_policy({**POLICY, "frame-src": "'self'"})
"""The policy of a page that shows an email in a frame."""

EMAIL_POLICY = serialise_policy(
    {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "sandbox": "allow-top-navigation-by-user-activation",
    }
)
"""The policy of an email in that frame: it runs nothing and loads nothing, and its links open in the whole window."""

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": serialise_policy(POLICY),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "X-Robots-Tag": "noindex, nofollow",
}
