"""Every kind of mail with texts of others that hold links: in no part of it does a mail program find one."""

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from jinja2 import Environment, meta

from adapters.mail.mime import to_mime
from application.mails import render_mail
from application.mails.render_mail import _OF_OTHERS, OWN_FACTS, MailEnvelope, make_mail
from tests.builders import NOON

KINDS = {
    path.stem: path for path in Path(render_mail.__file__).with_name("texts").glob("*.txt") if path.stem != "shell"
}
EVIL = "Prize https://evil.example, call +49 30 1234567 or eve@evil.example"
ADDRESS = "https://sign.example.com/x"
LINK = re.compile(r"evil\.example|30 1234567|https://evil")
HEADERS = ("subject", "from", "to")


def facts_of(kind: str) -> dict[str, str | bool | None]:
    """What a mail of that kind is made of: texts of others are hostile, and all that may be said is said."""
    syntax = Environment(extensions=["jinja2.ext.i18n"]).parse(KINDS[kind].read_text("utf-8"))  # noqa: S701  # only read
    names = meta.find_undeclared_variables(syntax) - {"gettext", "ngettext"}
    own = OWN_FACTS - _OF_OTHERS.get(kind, frozenset())
    facts = {name: "Own" if name in own else EVIL for name in names | {"quote"}}
    return {**facts, **{name: True for name in names if name.startswith("is_")}, "address": ADDRESS}


@pytest.mark.parametrize("kind", KINDS)
def test_no_part_of_a_mail_makes_a_link_of_a_text_of_others(kind: str) -> None:
    envelope = MailEnvelope("1@x", EVIL, "ada@example.com", EVIL, NOON, sender_name=EVIL)
    mail = make_mail(kind, facts_of(kind), envelope)

    wire = message_from_bytes(to_mime(mail, "service@example.com").content, policy=policy.default)
    parts = [part.get_content() for part in wire.walk() if part.get_content_maintype() == "text"]
    headers = [str(wire[name]) for name in HEADERS]

    text = parts[0].rpartition("-- ")[0]  # the footer names the organisation
    assert len(parts) == 2
    assert [found for found in (*headers, text) if LINK.search(found)] == []
    assert len(re.findall(r"https?://", parts[0])) <= 2


@pytest.mark.parametrize("name", ["Ada Lovelace", "J.R. Smith", "علی‌رضا"])
def test_names_without_links_stand_in_headers_as_they_are(name: str) -> None:
    mail = make_mail(
        "sign-in", {**facts_of("sign-in"), "name": name}, MailEnvelope("1@x", name, "a@x.example", name, NOON)
    )
    assert (mail.to_name, mail.from_name) == (name, f"{name} via Undersign")
    assert name in str(message_from_bytes(to_mime(mail, "service@example.com").content, policy=policy.default)["to"])
