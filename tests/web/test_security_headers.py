import re
from pathlib import Path

import pytest

from domain.session.session import Session
from tests import ROOT
from tests.web.desk import Desk, Visitor, filled_in
from tests.web.html import Page

PAGES = ROOT / "web"


async def test_every_answer_forbids_framing_foreign_content_referrers_and_caching(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    answers = [
        await desk.browser().get("/"),
        await desk.browser().get("/outbox"),
        await desk.browser().get("/sign/nonsense"),
        await desk.browser().get(desk.link(session)),
        await desk.browser().post(desk.link(session)),
        await desk.browser().get(ada.path),
        await ada.browser.get(ada.path),
        await ada.post({}),
        await ada.post(filled_in(session)),
    ]

    for answer in answers:
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(policy)
        assert {"img-src 'self' data:", "form-action 'self'", "base-uri 'none'"} <= set(policy)
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "camera=()" in answer.headers["permissions-policy"]


@pytest.mark.parametrize("template", sorted((PAGES / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_no_template_has_script_or_style_inside(template: Path) -> None:
    """The policy would stop them, silently."""
    text = template.read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", text)
    assert "| safe" not in text


async def test_assets_are_cached_permanently_and_gzipped_for_browsers_that_accept_it(desk: Desk) -> None:
    page = Page((await desk.browser().get("/")).text)
    [style] = [str(link["href"]) for link in page.all("link") if link["rel"] == "stylesheet"]

    packed = await desk.browser(**{"Accept-Encoding": "br, gzip"}).get(style)
    plain = await desk.browser(**{"Accept-Encoding": "identity"}).get(style)

    for answer in (packed, plain):
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith("text/css")
        assert answer.headers["vary"] == "Accept-Encoding"
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 3


@pytest.mark.parametrize(
    "path", ["/assets/0/pages.css", "/assets/0/../routes.py", "/assets/0/%2e%2e/routes.py", "/assets/0/"]
)
async def test_no_other_file_can_be_had(desk: Desk, path: str) -> None:
    assert (await desk.browser().get(path)).status_code == 404


async def test_the_scripts_of_the_signing_page_come_as_one_each_in_its_own_scope(desk: Desk) -> None:
    page = await (await desk.come_in(await desk.send())).look()

    [script] = page.all("script")
    answer = await desk.browser().get(str(script["src"]))

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    scripts = (
        "local-times",
        "vendor/signature_pad.umd.min",
        "signature-canvas",
        "date-picker",
        "submit-once",
        "signing",
        "page-inputs",
        "autosave",
    )
    parts = [(PAGES / "static" / f"{name}.js").read_text() for name in scripts]
    assert answer.text == "\n;\n".join(parts)
    assert all('"use strict";\n\n(() => {' in part for part in parts if "Signature Pad v" not in part)
