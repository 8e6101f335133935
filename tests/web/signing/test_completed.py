from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import pytest

from domain.ports.object_store import Download
from domain.session.consent_texts import CONSENT_VERSION
from domain.session.session import Session
from tests.builders import audit, identifier
from tests.web.desk import Desk, Visitor, field, filled_in
from tests.web.html import Page
from web.signing.resolve_link import RecipientAccess


async def sign_both(desk: Desk, session: Session) -> Visitor:
    """Ada and Grace sign; Ada stays."""
    ada = await desk.come_in(session)
    await ada.post(filled_in(session))
    grace = await desk.come_in(session, "grace")
    await grace.post({field(session, "centre"): "K1", "signatureText": "Grace", "consent": CONSENT_VERSION})
    return ada


async def test_after_signing_the_page_says_thanks_and_has_no_form(session: Session, ada: Visitor) -> None:
    await ada.post(filled_in(session))

    page = await ada.look()
    assert "You’ve signed. Thank you!" in page.words
    assert "when everyone has signed" in page.words
    assert page.all("form") == []


async def test_who_has_another_part_reads_so_and_not_that_they_are_waited_for(desk: Desk, session: Session) -> None:
    first, second = session.recipients
    await desk.change(
        session.model_copy(update={"recipients": (first, second.model_copy(update={"email": first.email}))})
    )
    ada = await desk.come_in(session)
    await ada.post(filled_in(session))

    page = await ada.look()
    assert "You have another part in this request." in page.words
    assert f"Waiting for {second.name}" not in page.words


async def test_while_documents_are_generated_the_page_looks_again(desk: Desk, session: Session) -> None:
    page = await (await sign_both(desk, session)).look()

    assert "preparing your documents" in page.words
    assert [str(script["src"]).rpartition("/")[2] for script in page.all("script")] == [
        "local-times.js",
        "auto-refresh.js",
    ]


async def test_signed_documents_can_be_downloaded_by_their_own_name(desk: Desk, session: Session) -> None:
    ada = await sign_both(desk, session)
    await desk.generate(session)

    [link, certificate] = (await ada.look()).links()[1:]
    assert certificate.endswith("/certificate")
    answer = await ada.browser.get(link)

    assert answer.status_code == HTTPStatus.SEE_OTHER
    reference, download = desk.objects.downloads[answer.headers["location"]]
    assert await desk.objects.get(reference) == b"%PDF signed"
    assert download == Download("Agreement 1.pdf", "application/pdf", 300)


async def test_the_link_leads_to_the_copy_later_too(desk: Desk, session: Session) -> None:
    link = desk.link(session)
    await sign_both(desk, session)
    await desk.generate(session)
    browser = desk.browser()

    opened = await browser.post(link)

    shown = await browser.get(opened.headers["location"], follow_redirects=True)
    assert "Signed documents" in Page(shown.text).words


async def test_before_everyone_has_signed_only_the_documents_as_sent_can_be_downloaded(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    signed = await ada.browser.get(f"{ada.path}/document/{session.files[0].file_id}")
    assert signed.status_code == HTTPStatus.CONFLICT
    [link] = [link for link in (await ada.look()).links() if "/sent/" in link]
    reference, _ = desk.objects.downloads[(await ada.browser.get(link)).headers["location"]]
    assert reference == session.files[0].rendered


async def test_a_file_of_another_session_is_not_found(ada: Visitor) -> None:
    for file_id in (identifier("elsewhere"), "x", "%00"):
        for kind in ("sent", "document"):
            answer = await ada.browser.get(f"{ada.path}/{kind}/{file_id}")
            assert answer.status_code == HTTPStatus.NOT_FOUND


async def test_downloads_need_the_cookie_and_a_session_that_is_not_archived(desk: Desk, session: Session) -> None:
    ada = await sign_both(desk, session)
    signed, document = await desk.generate(session), f"{ada.path}/document/{session.files[0].file_id}"
    assert (await desk.browser().get(document)).status_code == HTTPStatus.FORBIDDEN
    await desk.change(signed.archive(audit()).session)
    assert [(await ada.browser.get(path)).status_code for path in (ada.path, document)] == [HTTPStatus.GONE] * 2


async def test_the_link_asks_for_a_code_once_the_days_of_the_copy_are_over(desk: Desk, session: Session) -> None:
    link = desk.link(session)
    await sign_both(desk, session)
    await desk.generate(session)
    desk.serve(copy_days=0)

    shown = await desk.browser().get(link)
    asked = await desk.browser().post(link)

    assert "Send me a code" in Page(shown.text).words
    assert "location" not in asked.headers
    [mail] = desk.mailer.sent
    assert mail.to_email == "ada@example.com"
    code = mail.subject.split()[0]
    opened = await desk.browser().post(f"{link}/code", data={"code": code})
    assert opened.headers["location"].startswith("/signing/")


@pytest.mark.parametrize(
    ("days", "later", "asks"),
    [
        (30, timedelta(days=29, hours=23), False),
        (30, timedelta(days=30), True),
        (0, timedelta(), True),
        (36_500, timedelta(days=3_000), False),
    ],
)
async def test_the_days_of_the_copy_begin_when_all_have_signed(
    desk: Desk, days: int, later: timedelta, asks: bool, session: Session
) -> None:
    await sign_both(desk, session)
    done = desk.session(session)
    assert done.completed_at

    for recipient in done.recipients:
        assert RecipientAccess(done, recipient).asks_for_code(days, done.completed_at + later) is asks


async def test_a_recipient_who_signed_long_before_the_others_needs_a_code_and_the_others_do_not(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    await ada.post(filled_in(session))
    half, later = desk.session(session), datetime.now(UTC) + timedelta(days=31)
    assert [RecipientAccess(half, one).asks_for_code(30, later) for one in half.recipients] == [True, False]


async def test_after_signing_the_first_page_and_who_is_next_are_shown(desk: Desk) -> None:
    session = await desk.send_rendered()
    ada = await desk.come_in(session)
    await ada.post(filled_in(session))

    page = await ada.look()

    assert "Waiting for Grace to sign." in page.words
    [picture] = [str(image["src"]) for image in page.all("img") if "/page/" in str(image["src"])]
    assert picture.startswith(f"{ada.path}/page/{session.files[0].file_id}/1?version=")
    assert (await ada.browser.get(picture)).status_code == 200
