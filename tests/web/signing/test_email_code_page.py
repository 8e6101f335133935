"""The one-time code: the documents open to the right one only, once, and the history says so."""

import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import httpx
import pytest

from domain.audit.events import ActorKind
from domain.ports.email_codes import CodeIssue
from domain.ports.mail import LOGO_ID, MailNotSent
from domain.ports.sender_identity import SenderIdentity
from domain.session.email_code_limits import (
    CODE_ATTEMPTS,
    CODE_PAUSE,
    CODE_WINDOW,
    CODES_PER_WINDOW,
    MAX_WRONG_CODES,
)
from domain.session.recipients import RecipientStatus, RecipientVerification
from domain.session.session import Session
from domain.shared.ids import RecipientRef
from domain.shared.object_names import digest
from tests.activities.sample_mails import LOGO
from tests.builders import audit, created
from tests.web.desk import Desk
from tests.web.html import Page
from web.signing.email_code_page import mask_email


@pytest.fixture
async def session(desk: Desk) -> Session:
    return await desk.send(recipient_verification=RecipientVerification.EMAIL_CODE)


def code_in(desk: Desk) -> str:
    """The code in the latest mail."""
    (code,) = set(re.findall(r"\b\d{6}\b", desk.mailer.sent[-1].subject))
    return str(code)


async def enter(desk: Desk, session: Session, browser: httpx.AsyncClient, code: str) -> httpx.Response:
    return await browser.post(f"{desk.link(session)}/code", data={"code": code})


async def test_looking_at_the_link_sends_no_code_and_says_where_it_would_go(desk: Desk, session: Session) -> None:
    page = await desk.browser().get(desk.link(session))
    assert desk.mailer.sent == []
    assert "a•••@example.com" in page.text
    assert "ada@example.com" not in page.text


async def test_the_button_sends_one_code_a_minute_with_the_logo_of_the_organisation_and_opens_nothing(
    desk: Desk, session: Session
) -> None:
    await desk.identities.store(session.organisation_id, SenderIdentity(logo=LOGO))
    browser = desk.browser()

    answer, *later = [await browser.post(desk.link(session)) for _ in range(3)]

    assert answer.status_code == HTTPStatus.OK
    assert answer.cookies == {}
    (mail,) = desk.mailer.sent
    assert (mail.to_email, mail.to_name, mail.logo) == ("ada@example.com", "Ada", LOGO)
    assert code_in(desk) in mail.text
    assert f"cid:{LOGO_ID}" in mail.html
    assert all("only just sent" in again.text for again in later)
    assert desk.recipient(session, "ada").status is RecipientStatus.PENDING


async def test_the_right_code_opens_the_documents_once_and_the_history_says_how(desk: Desk, session: Session) -> None:
    browser = desk.browser()
    await browser.post(desk.link(session))
    code = code_in(desk)

    opened = await enter(desk, session, browser, f" {code[:3]} {code[3:]}")
    again = await enter(desk, session, desk.browser(), code)

    assert opened.status_code == HTTPStatus.SEE_OTHER
    shown = await browser.get(opened.headers["location"], follow_redirects=True)
    assert (shown.status_code, shown.url.query) == (HTTPStatus.OK, b"")
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


def test_the_history_says_that_a_code_was_entered() -> None:
    session = created(recipient_verification=RecipientVerification.EMAIL_CODE).session.send(audit()).session
    ada = session.recipients[0].recipient_id

    (viewed,) = session.view(ada, audit(kind=ActorKind.RECIPIENT)).events
    (plain,) = created().session.send(audit()).session.view(ada, audit(kind=ActorKind.RECIPIENT)).events

    assert viewed.details["identifiedBy"] == "emailCode"
    assert "identifiedBy" not in plain.details


async def test_wrong_codes_open_nothing_and_five_of_them_end_it(desk: Desk, session: Session) -> None:
    browser = desk.browser()
    await browser.post(desk.link(session))
    code = code_in(desk)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"

    answers = [await enter(desk, session, browser, wrong) for _ in range(5)]
    right = await enter(desk, session, browser, code)

    assert {answer.status_code for answer in (*answers, right)} == {HTTPStatus.UNPROCESSABLE_ENTITY}
    assert "That code isn’t right" in answers[0].text
    assert "no longer works" in right.text
    assert browser.cookies.jar is not None
    assert not list(browser.cookies.jar)


async def test_an_incomplete_code_uses_up_no_attempt(desk: Desk, session: Session) -> None:
    browser = desk.browser()
    await browser.post(desk.link(session))

    for wrong in ("", "12345", "1234567", "abcdef") * 3:
        assert "all six digits" in (await enter(desk, session, browser, wrong)).text

    assert (await enter(desk, session, browser, code_in(desk))).status_code == HTTPStatus.SEE_OTHER


async def test_the_code_of_one_link_opens_no_other(desk: Desk, session: Session) -> None:
    other = await desk.send(name="Another", recipient_verification=RecipientVerification.EMAIL_CODE)
    await desk.browser().post(desk.link(session))
    answer = await enter(desk, other, desk.browser(), code_in(desk))
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


async def test_a_code_that_cannot_be_sent_is_reported_and_can_be_requested_again_at_once(
    desk: Desk, session: Session
) -> None:
    desk.mailer.failure = MailNotSent()
    failed = await desk.browser().post(desk.link(session))
    desk.mailer.failure = None

    await desk.browser().post(desk.link(session))

    assert failed.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "We couldn’t send the code" in failed.text
    assert "We’ve sent" not in failed.text
    assert Page(failed.text).names() == []
    assert len(desk.mailer.sent) == 1


async def test_the_limit_of_an_hour_is_reported_and_the_latest_code_still_works(desk: Desk, session: Session) -> None:
    at = datetime.now(UTC)
    for number in reversed(range(1, CODES_PER_WINDOW)):
        await issue(desk, session, at - number * CODE_PAUSE)
    await desk.browser().post(desk.link(session))
    asked = await desk.browser().post(desk.link(session))

    assert len(desk.mailer.sent) == 1
    assert "We’ve sent five codes" in asked.text
    assert "wait a minute" not in asked.text
    assert "Send a new code" not in asked.text
    assert (await enter(desk, session, desk.browser(), code_in(desk))).status_code == HTTPStatus.SEE_OTHER


async def test_after_too_many_wrong_codes_the_page_offers_no_other(desk: Desk, session: Session) -> None:
    key, person = whose(desk, session)
    at = datetime.now(UTC) - timedelta(days=30)
    for number in range(MAX_WRONG_CODES // CODE_ATTEMPTS):
        await issue(desk, session, at + number * CODE_WINDOW)
        for _ in range(CODE_ATTEMPTS):
            await desk.codes.enter(key, "wrong", at + number * CODE_WINDOW, person)

    asked = await desk.browser().post(desk.link(session))

    assert desk.mailer.sent == []
    assert "Please contact Northwind Trading" in Page(asked.text).words
    assert Page(asked.text).all("form") == []


def whose(desk: Desk, session: Session) -> tuple[RecipientRef, str]:
    """The key and the person under which the codes of Ada are stored."""
    ada = desk.recipient(session, "ada")
    return RecipientRef(session.organisation_id, session.session_id, ada.recipient_id), digest(ada.email.encode())


async def issue(desk: Desk, session: Session, at: datetime) -> None:
    key, person = whose(desk, session)
    assert await desk.codes.issue(key, "a code", at, person) is CodeIssue.ISSUED


async def test_without_the_setting_no_code_is_needed(desk: Desk) -> None:
    session = await desk.send(name="Without a code")
    opened = await desk.browser().post(desk.link(session))
    entered = await enter(desk, session, desk.browser(), "123456")
    assert (opened.status_code, entered.status_code) == (HTTPStatus.SEE_OTHER, HTTPStatus.SEE_OTHER)
    assert desk.mailer.sent == []


def test_an_address_is_shown_so_that_only_its_owner_knows_it() -> None:
    assert mask_email("ada.lovelace@example.com") == "a•••@example.com"
    assert mask_email("x@y.z") == "x•••@y.z"


async def test_a_person_to_whom_the_turn_was_passed_gets_a_code_at_once(desk: Desk) -> None:
    session = await desk.send(recipient_verification=RecipientVerification.EMAIL_CODE, delegation=True)
    browser = desk.browser()
    await browser.post(desk.link(session))
    wrong = "000000" if code_in(desk) != "000000" else "111111"
    await enter(desk, session, browser, wrong)
    opened = await enter(desk, session, browser, code_in(desk))
    path = f"{opened.headers['location'].partition('?')[0]}/delegate"
    page = await browser.get(path)
    form = {**Page(page.text).form(), "name": "Mary Jackson", "email": "mary@example.com", "reason": "She decides."}
    assert (await browser.post(path, data=form)).status_code == HTTPStatus.SEE_OTHER

    asked = await desk.browser().post(desk.link(session))

    assert "only just sent" not in asked.text
    assert desk.mailer.sent[-1].to_email == "mary@example.com"
    assert (await enter(desk, session, desk.browser(), code_in(desk))).status_code == HTTPStatus.SEE_OTHER
