"""Mails: a template for each kind, from which the text and the HTML part are rendered.

A template has the blocks `subject`, `heading`, `body` and `notes` (paragraphs between empty lines) and, for a link,
`button`. Texts of users are inserted as plain text. Right-to-left texts are wrapped in directional isolates.

Texts for recipients are in `{% trans %}` blocks, and are translated. Texts for members only are English.
"""

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from application.accent_colours import accent_colours
from application.translations import catalogue
from application.translations.localised_formats import format_person
from domain.ports.mail import LOGO_ID, Mail
from domain.ports.sender_identity import NO_IDENTITY, SenderIdentity
from domain.shared.linkable_text import has_link, without_links
from domain.shared.white_space import collapse_spaces
from domain.texts.languages import ENGLISH, TAGS, direction_of, marked

PRODUCT = "Undersign"
"""The sender's name in mails that no organisation of the recipient sends."""

MAX_QUOTED = 500
"""Maximum characters that a mail quotes of a text of others. The page behind the link shows all of it."""

OWN_FACTS = frozenset(
    {
        *("organisation", "session", "session_id", "quote", "receiver"),
        *("address", "code", "minutes", "days", "at", "until", "expires", "signed", "signers", "organisation_id"),
    }
)
"""The texts of the service and of the organisation that sends the mail. All others may be of a stranger: they get no
links, also in mails to the same organisation."""

_OF_OTHERS = {
    "declined": frozenset({"quote"}),
    "delegated": frozenset({"quote"}),
    "member-invitation": frozenset({"organisation"}),
}
"""Those of `OWN_FACTS` that are of others in a kind of mail."""

Facts = Mapping[str, str | bool | None]

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"

_FACE = Markup("font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;")


class ButtonColours(NamedTuple):
    """The colours of the button and of quotations, on a light and on a dark background."""

    fill: str = "#0f6e6e"
    ink: str = "#ffffff"
    dark_fill: str = "#8ad7d0"
    dark_ink: str = "#06302e"
    dark_edge: str = "#4fb3ae"

    @classmethod
    def of(cls, accent: str | None) -> "ButtonColours":
        if accent is None:
            return cls()
        light, dark = accent_colours(accent)
        return cls(light.fill, light.on_fill, dark.fill, dark.on_fill, dark.accent)


class RenderedMail(NamedTuple):
    """The content of a mail. `quote` is a text of a user, `code` an email code, `address` the URL of the button."""

    subject: str
    heading: str
    body: tuple[str, ...]
    notes: tuple[str, ...]
    button: str
    quote: str | None
    code: str | None
    address: str | None
    language: str = ENGLISH

    def text(self, organisation: str, identity: SenderIdentity = NO_IDENTITY) -> str:
        """Returns the plain text part."""
        shell = _environment(self.language).get_template("shell.txt")
        return shell.render(letter=self, organisation=isolate_direction(organisation), identity=identity)

    def html(self, organisation: str, identity: SenderIdentity = NO_IDENTITY) -> str:
        """Returns the HTML part. It loads no external resources: the logo is attached."""
        shell = _environment(self.language).get_template("shell.html")
        return shell.render(
            letter=self,
            tag=TAGS.get(self.language, self.language),
            direction_of_page=direction_of(self.language),
            organisation=organisation,
            face=_FACE,
            identity=identity,
            colours=ButtonColours.of(identity.accent),
            logo=identity.logo,
            logo_id=LOGO_ID,
        )


def render_mail(kind: str, facts: Facts, language: str = ENGLISH) -> RenderedMail:
    """Returns the template `kind` rendered with `facts`; `quote`, `code` and `address` become separate members."""
    template = _environment(language).get_template(f"{kind}.txt")
    everything = {"quote": None, "code": None, "address": None, **_without_links(kind, facts)}
    context = template.new_context(
        {
            name: isolate_direction(collapse_spaces(fact)) if isinstance(fact, str) else fact
            for name, fact in everything.items()
        }
    )
    words = {name: "".join(block(context)) for name, block in template.blocks.items()}
    return RenderedMail(
        subject=words["subject"].strip(),
        heading=words["heading"].strip(),
        body=_paragraphs(words["body"]),
        notes=_paragraphs(words["notes"]),
        button=words.get("button", "").strip(),
        quote=_text(everything["quote"]),
        code=_text(everything["code"]),
        address=_text(everything["address"]),
        language=language,
    )


def _without_links(kind: str, facts: Facts) -> Facts:
    """Returns the facts, those of others without links and of at most `MAX_QUOTED` characters."""
    own = OWN_FACTS - _OF_OTHERS.get(kind, frozenset())
    return {
        name: without_links(shorten(fact)) if isinstance(fact, str) and name not in own else fact
        for name, fact in facts.items()
    }


def shorten(text: str) -> str:
    """Returns the first `MAX_QUOTED` characters of `text`, with an ellipsis if there are more."""
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1].rstrip()}…"


def direction(text: str) -> str:
    """Returns `rtl` or `ltr`: the direction of the first strong character outside isolates (UAX 9, P2)."""
    depth = 0
    for character in text:
        depth += {_FIRST_STRONG_ISOLATE: 1, _POP_ISOLATE: -1}.get(character, 0)
        kind = unicodedata.bidirectional(character)
        if depth == 0 and kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"


def isolate_direction(value: object) -> object:
    """Returns `value`, in a directional isolate if it has right-to-left text, so the sentence keeps its direction."""
    if isinstance(value, str) and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in value):
        return f"{_FIRST_STRONG_ISOLATE}{value}{_POP_ISOLATE}"
    return value


def _start(text: str) -> str:
    return "right" if direction(text) == "rtl" else "left"


def _text(fact: str | bool | None) -> str | None:
    return fact.strip() or None if isinstance(fact, str) else None


def _paragraphs(words: str) -> tuple[str, ...]:
    return tuple(collapse_spaces(paragraph) for paragraph in words.split("\n\n") if paragraph.strip())


@cache
def _environment(language: str) -> Environment:
    """Returns the templates in `language`: `{% trans %}` inserts the translation in its catalogue."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("texts")),
        extensions=("jinja2.ext.i18n",),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=select_autoescape(("html",)),
    )
    environment.policies["ext.i18n.trimmed"] = True
    translations = catalogue(language)
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension
        translations.gettext, translations.ngettext, newstyle=True
    )
    environment.filters |= {"direction": direction, "start": _start}
    return environment


def _sender(envelope: "MailEnvelope") -> str:
    name = envelope.identity.sender_name or envelope.organisation
    shown = format_person(envelope.sender_name, name, envelope.language)
    if shown == PRODUCT:
        return shown
    return catalogue(envelope.language).gettext(marked("{name} via {product}")).format(name=shown, product=PRODUCT)


def _without_link(name: str) -> str:
    """Returns a name for a header, in which no mail program finds a link."""
    return without_links(name) if has_link(name) else name


class MailEnvelope(NamedTuple):
    """The sender and the recipient of a mail, from an organisation with an identity. The mail is in `language`.

    `sender_name` is the person of the organisation who sends it, None if no one is named.
    """

    message_id: str
    to_name: str
    to_email: str
    organisation: str
    sent_at: datetime
    reply_to: str | None = None
    sender_name: str | None = None
    unsubscribe: str | None = None
    identity: SenderIdentity = NO_IDENTITY
    language: str = ENGLISH


def make_mail(kind: str, facts: Facts, envelope: MailEnvelope) -> Mail:
    """Returns the mail of template `kind`, rendered with `facts`."""
    letter = render_mail(kind, facts, envelope.language)
    return Mail(
        message_id=envelope.message_id,
        to_name=_without_link(envelope.to_name),
        to_email=envelope.to_email,
        from_name=_without_link(_sender(envelope)),
        subject=letter.subject,
        text=letter.text(envelope.organisation, envelope.identity),
        html=letter.html(envelope.organisation, envelope.identity),
        sent_at=envelope.sent_at,
        reply_to=envelope.reply_to,
        unsubscribe=envelope.unsubscribe,
        logo=envelope.identity.logo,
        language=envelope.language if envelope.language != ENGLISH else None,
    )
