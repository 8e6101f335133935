"""The page that verifies PDFs."""

from datetime import datetime
from typing import Any

import httpx
import pytest

from adapters.rate_limit_counters import limit_in_memory
from application.documents.render_jobs import render_certificate
from domain.audit.verification_report import Verdict
from domain.ports.database import Organisation, User
from domain.ports.limits import Quotas
from domain.ports.process_pool import ProcessDied
from domain.ports.sign_ins import Member, SignIn
from domain.seal.seal import Identified, SignedDocument, Signer
from domain.shared.ids import OrganisationId, UserId
from domain.shared.object_names import make_reference
from domain.shared.roles import Role
from layout.engine import render
from tests.application.test_certificate import facts, signed_session
from tests.builders import NOON, ORGANISATION
from tests.fakes.seals import KEYS, REFERENCE
from tests.layout.documents import document, paragraph
from tests.pades.verification.sealed_files import Sealing, look_alike, pages, sealed
from tests.pades.verification.tampering import TOOLS
from tests.web.desk import Desk
from tests.web.html import Page
from web.texts import PAGES
from web.verify_page import MAX_UPLOAD

ADA = Signer(name="Ada", email="ada@example.com", identified_by=Identified.LINK, signed_at=NOON)
SIGNED = SignedDocument(
    session_id=REFERENCE.session_id, file_id=REFERENCE.file_id, materials_sha256="5" * 64, signers=(ADA,)
)
VERDICTS: Any = PAGES.table("verdicts")


async def post(desk: Desk, *files: bytes, **headers: str) -> httpx.Response:
    parts = [("file", (f"file {number}.pdf", content, "application/pdf")) for number, content in enumerate(files, 1)]
    async with desk.browser(**headers) as browser:
        return await browser.post("/verify", files=parts)


def headings(answer: httpx.Response) -> str:
    return Page(answer.text).words


async def test_it_asks_for_a_file_and_works_without_scripts(desk: Desk) -> None:
    async with desk.browser() as browser:
        answer = await browser.get("/verify")

    page = Page(answer.text)
    (form,) = page.all("form")
    assert (form["method"], form["action"], form["enctype"]) == ("post", "/verify", "multipart/form-data")
    assert page.input("file")["type"] == "file"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        (lambda: sealed(pages(1), statement=SIGNED), Verdict.GENUINE),
        (lambda: TOOLS["words written by MuPDF"](sealed(pages(1))), Verdict.CHANGED),
        (lambda: sealed(pages(1), Sealing(*look_alike(KEYS.authority, KEYS.pair))), Verdict.UNKNOWN_AUTHORITY),
        (lambda: pages(1), Verdict.NOT_SEALED),
        (lambda: b"no pdf", Verdict.UNREADABLE),
    ],
)
async def test_it_says_what_a_file_is(desk: Desk, made: Any, verdict: Verdict) -> None:
    answer = await post(desk, made())

    assert answer.status_code == 200
    assert f">{VERDICTS[verdict]['title']}</h1>" in answer.text
    assert VERDICTS[verdict]["body"] in headings(answer)
    assert "file 1.pdf" in headings(answer)


async def test_a_reference_document_states_that_no_recipient_signed_it(desk: Desk) -> None:
    page = await post(desk, sealed(pages(1)))
    assert f">{VERDICTS[Verdict.GENUINE]['title']}. No recipient signed it</h1>" in page.text
    assert REFERENCE.text in headings(page)
    assert 'class="card verdict open"' in page.text


async def test_statements_of_an_unknown_or_changed_seal_are_no_facts(desk: Desk) -> None:
    words = headings(await post(desk, sealed(pages(1), Sealing(*look_alike(KEYS.authority, KEYS.pair)))))
    assert "Sealed by" not in words
    assert "It calls itself a seal of" in words
    changed = TOOLS["words written by MuPDF"](sealed(render_certificate(facts()), statement=facts().statement))
    assert "Northwind Trading" not in headings(await post(desk, changed))


async def test_a_certificate_says_who_signed_and_when(desk: Desk) -> None:
    words = headings(await post(desk, sealed(render_certificate(facts()), statement=facts().statement)))

    assert "Genuine" in words
    assert words.count("12 June 2026, 12:00 UTC") == 2
    assert [name for name in ("Ada", "Grace", "Northwind Trading", "Agreement.pdf") if name not in words] == []
    assert "The chain of its 12 events is intact" in words


async def test_a_document_is_checked_against_the_certificate_beside_it(desk: Desk) -> None:
    answer = await post(desk, sealed(render_certificate(facts()), statement=facts().statement), sealed(pages(1)))
    assert "No certificate that was checked beside it names this file" in headings(answer)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>.pdf", "../../etc/passwd", "\u202efdp.exe"])
async def test_names_of_files_are_shown_harmless(desk: Desk, name: str) -> None:
    async with desk.browser() as browser:
        answer = await browser.post("/verify", files=[("file", (name, b"no pdf", "application/pdf"))])

    assert "<script>alert" not in answer.text
    assert "\u202e" not in answer.text
    assert "etc" not in headings(answer)


@pytest.mark.parametrize("files", [[], [b""]])
async def test_without_a_file_it_asks_for_one(desk: Desk, files: list[bytes]) -> None:
    async with desk.browser() as browser:
        parts = [("file", ("", content, "application/pdf")) for content in files] or [("other", ("", b"", ""))]
        answer = await browser.post("/verify", files=parts)

    assert answer.status_code == 422
    assert "Choose a PDF first." in headings(answer)


async def test_too_large_or_too_many_files_and_posts_of_other_sites_are_refused(desk: Desk) -> None:
    large = await post(desk, b"%PDF-1.7\n" + bytes(MAX_UPLOAD + 20_000))
    assert large.status_code == 413
    assert "25 MB" in headings(large)
    assert (await post(desk, *[b"no pdf"] * 6)).status_code == 400
    assert (await post(desk, sealed(pages(1)), **{"sec-fetch-site": "cross-site"})).status_code == 403


@pytest.mark.parametrize("body", [{"data": {"file": "text"}}, {"json": {}}, {"content": b"raw"}])
async def test_a_body_without_files_is_refused(desk: Desk, body: dict[str, Any]) -> None:
    async with desk.browser() as browser:
        assert (await browser.post("/verify", **body)).status_code == 400


async def test_posts_are_limited() -> None:
    desk = Desk()
    desk.serve(rate_limits=limit_in_memory(), quotas=Quotas(pages=1000))
    assert [(await post(desk, b"no pdf")).status_code for _ in range(21)] == [200] * 20 + [429]


class DyingPool:
    async def run(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        raise ProcessDied


async def test_a_file_is_opened_by_the_pool_for_checks_alone_and_one_that_takes_too_much_is_reported(
    desk: Desk,
) -> None:
    desk.serve(pool=DyingPool())
    assert "Genuine" in headings(await post(desk, sealed(pages(1))))
    desk.serve(checking=DyingPool())
    answer = await post(desk, sealed(pages(1)))
    assert answer.status_code == 200
    assert "This file is too complex to check here." in headings(answer)


# Which session it is


@pytest.fixture
async def known() -> tuple[Desk, bytes]:
    """A desk with a session, and its certificate."""
    desk = Desk()
    session, events = signed_session()
    await desk.rows.record(session, events)
    return desk, sealed(render_certificate(facts()), statement=facts().statement)


class CurrentUser:
    """A user of that organisation, for every sign-in."""

    def __init__(self, organisation_id: str) -> None:
        organisation = OrganisationId(organisation_id)
        user = User(UserId("u"), organisation, "ada@example.com", "Ada", Role.SENDER)
        member = Member(user, Organisation(organisation, "Northwind"))
        self.found = (member, SignIn("secret", user.user_id, NOON, NOON))

    async def find(self, secret_sha256: str, at: datetime) -> Any:
        return self.found


async def post_signed_in(desk: Desk, file: bytes, organisation_id: str) -> httpx.Response:
    desk.serve(sign_ins=CurrentUser(organisation_id))
    return await post(desk, file, cookie="__Host-undersign-app=secret")


async def test_its_organisation_is_led_to_the_session(known: tuple[Desk, bytes]) -> None:
    answer = await post_signed_in(*known, ORGANISATION)

    session, _ = signed_session()
    assert f"/app/sessions/{session.session_id}" in [link["href"] for link in Page(answer.text).all("a")]
    assert "Your session “Consulting agreement”" in headings(answer)
    assert "The history chain is intact" in headings(answer)


async def test_others_are_not(known: tuple[Desk, bytes]) -> None:
    desk, certificate = known
    for answer in (await post(desk, certificate), await post_signed_in(desk, certificate, "another")):
        assert "/app/sessions/" not in answer.text
        assert "Your session" not in answer.text


async def test_a_history_or_certificate_with_another_chain_is_reported(known: tuple[Desk, bytes]) -> None:
    desk, certificate = known
    other = facts(user_agent="another")  # the same session, with another history
    foreign = sealed(render_certificate(other), statement=other.statement)
    tampered, (_, events) = Desk(), signed_session(user_agent="another")
    await tampered.rows.record(signed_session()[0], events)

    for words in (
        headings(await post_signed_in(tampered, certificate, ORGANISATION)),
        headings(await post_signed_in(desk, foreign, ORGANISATION)),
    ):
        assert "The history chain is broken" in words
        assert "The history chain is intact" not in words


async def test_a_document_leads_to_the_session_that_its_seal_names_if_its_hash_is_kept_there(desk: Desk) -> None:
    session, events = signed_session()
    pdf = render(document(paragraph(f"Session {session.session_id}")), ()).pdf
    assert pdf is not None
    document_of = SignedDocument(
        session_id=session.session_id, file_id=session.files[0].file_id, materials_sha256="5" * 64, signers=(ADA,)
    )
    file = sealed(pdf, statement=document_of)
    held = session.files[0]
    signed = make_reference("signed.pdf", file)
    kept = session.model_copy(update={"files": (held.model_copy(update={"signed": signed}), *session.files[1:])})
    await desk.rows.record(kept, events)

    assert "Your session" in headings(await post_signed_in(desk, file, ORGANISATION))
    assert "Your session" not in headings(
        await post_signed_in(desk, sealed(pages(1), statement=document_of), ORGANISATION)
    )
