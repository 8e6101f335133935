"""The pages of an approver, and of a recipient who gets a copy."""

from http import HTTPStatus

import pytest

from domain.session.recipients import RecipientRole, RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from tests.builders import recipient
from tests.web.desk import AGREEMENT, CENTRE, Desk, Visitor, filled_in
from tests.web.html import Page

BLOCKS = tuple(block for block in AGREEMENT if block is not CENTRE and block.get("recipient") != "grace")
PEOPLE = (
    recipient("ada", 1),
    recipient("grace", 1, role=RecipientRole.APPROVER),
    recipient("mary", 1, role=RecipientRole.COPY),
)


@pytest.fixture
async def shared(desk: Desk) -> Session:
    """A session that Ada signs and Grace approves, and of which Mary gets a copy."""
    return await desk.send(BLOCKS, recipients=PEOPLE)


async def approve(visitor: Visitor) -> Page:
    form = (await visitor.look()).form()
    answer = await visitor.browser.post(f"{visitor.path}/approve", data=form)
    assert (answer.status_code, answer.headers["location"]) == (HTTPStatus.SEE_OTHER, visitor.path)
    return await visitor.look()


async def test_an_approver_reads_the_documents_and_fills_in_nothing(desk: Desk, shared: Session) -> None:
    invitation = Page((await desk.browser().get(desk.link(shared, "grace"))).text)
    grace = await desk.come_in(shared, "grace")
    page = await grace.look()

    assert "Northwind Trading has asked you to approve" in invitation.words
    assert "Opening doesn’t approve anything" in invitation.words
    assert "The consultant advises the client." in page.words
    assert "To be filled in by Ada" in page.words
    assert page.names() == ["csrf", "timeZone"]
    assert "Your approval" in page.words
    assert "Your signature" not in page.words
    assert f"{grace.path}/decline" in page.links()
    assert desk.recipient(shared, "grace").status is RecipientStatus.VIEWED


async def test_an_approval_is_taken_once_and_the_page_after_it_says_so(desk: Desk, shared: Session) -> None:
    grace = await desk.come_in(shared, "grace")
    form = (await grace.look()).form()
    page = await approve(grace)
    again = await grace.browser.post(f"{grace.path}/approve", data=form)

    assert "You’ve approved. Thank you!" in page.words
    assert "Waiting for Ada to sign." in page.words
    assert again.headers["location"] == grace.path
    assert desk.session(shared).status is SessionStatus.IN_PROGRESS
    assert "You’ve approved this" in Page((await desk.browser().get(desk.link(shared, "grace"))).text).words


async def test_neither_does_what_the_other_is_asked_for(desk: Desk, shared: Session) -> None:
    ada, grace = await desk.come_in(shared), await desk.come_in(shared, "grace")
    crossed = [
        await ada.browser.post(f"{ada.path}/approve", data=(await ada.look()).form()),
        await grace.post({"signatureText": "Grace", "consent": "1"}),
    ]
    assert {answer.status_code for answer in crossed} == {HTTPStatus.SEE_OTHER}
    assert {one.status for one in desk.session(shared).recipients[:2]} == {RecipientStatus.VIEWED}


async def test_an_approver_declines_in_their_own_words(desk: Desk, shared: Session) -> None:
    grace = await desk.come_in(shared, "grace")
    shown = Page((await grace.browser.get(f"{grace.path}/decline")).text)
    desk.sessions.runs.is_away = True
    form = {**shown.form(), "reason": "The fee is wrong."}
    failed = Page((await grace.browser.post(f"{grace.path}/decline", data=form)).text)
    desk.sessions.runs.is_away = False
    await grace.browser.post(f"{grace.path}/decline", data=form)
    after = await grace.look()

    assert "Decline to approve" in shown.words
    assert "Decline to sign" not in shown.words
    assert "Press “Decline to approve” again" in failed.words
    assert "You’ve declined to approve" in after.words


async def test_an_outage_or_a_form_of_another_cookie_approves_nothing(desk: Desk, shared: Session) -> None:
    grace = await desk.come_in(shared, "grace")
    form = (await grace.look()).form()
    foreign = await grace.browser.post(f"{grace.path}/approve", data={"csrf": "x"})
    other_site = await grace.browser.post(
        f"{grace.path}/approve", data=form, headers={"Origin": "https://evil.example"}
    )
    desk.sessions.runs.is_away = True
    away = await grace.browser.post(f"{grace.path}/approve", data=form)

    assert [foreign.status_code, other_site.status_code] == [HTTPStatus.FORBIDDEN] * 2
    assert away.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "Press “Approve” again in a moment" in Page(away.text).words
    assert desk.recipient(shared, "grace").status is RecipientStatus.VIEWED


async def test_a_copy_opens_the_signed_documents_once_all_have_finished(desk: Desk, shared: Session) -> None:
    before = await desk.browser().get(desk.link(shared, "mary"))
    ada = await desk.come_in(shared)
    waits = Page((await ada.post(filled_in(shared))).text or (await ada.browser.get(ada.path)).text)
    await approve(await desk.come_in(shared, "grace"))
    done = await desk.generate(shared)

    invitation = Page((await desk.browser().get(desk.link(shared, "mary"))).text)
    mary = await desk.come_in(shared, "mary")
    page = await mary.look()
    download = await mary.browser.get(f"{mary.path}/document/{done.files[0].file_id}")

    assert before.status_code == HTTPStatus.NOT_FOUND
    assert "Waiting for Grace." in waits.words
    assert "Northwind Trading has sent you a copy" in invitation.words
    assert "Your copy" in page.words
    assert "Signed on" not in page.words
    assert download.status_code == HTTPStatus.SEE_OTHER
    assert desk.recipient(shared, "mary").viewed_at is None
