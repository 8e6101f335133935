from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from http import HTTPStatus

import pytest
from itsdangerous import Signer

from domain.session.session import Session
from domain.shared.key_files import SIGNING
from tests.builders import recipient
from tests.web.desk import KEYS, Desk, Visitor
from tests.web.html import Page
from web.signing.recipient_access import LIFETIME, MAX_VISITS


async def test_without_the_cookie_the_documents_stay_shut(desk: Desk, session: Session) -> None:
    path = f"/signing/{desk.recipient(session, 'ada').recipient_id}"
    answers = [await desk.browser().get(path), await desk.browser().post(path), await desk.browser().get(path + "0")]
    assert {answer.status_code for answer in answers} == {HTTPStatus.FORBIDDEN}
    assert "Open the link in your email" in Page(answers[0].text).words


async def test_a_cookie_of_one_recipient_opens_nothing_of_another(desk: Desk) -> None:
    session = await desk.send(recipients=(recipient("ada", 1), recipient("grace", 1)))
    ada = await desk.come_in(session)
    grace = desk.recipient(session, "grace").recipient_id

    assert (await ada.browser.get(f"/signing/{grace}")).status_code == HTTPStatus.FORBIDDEN


async def test_a_cookie_that_was_changed_or_made_elsewhere_is_no_cookie(desk: Desk, ada: Visitor) -> None:
    [(name, value)] = ada.browser.cookies.items()
    content = value.rpartition(".")[0]
    forged = Signer(b"another key", salt="undersign.visits", **SIGNING).sign(content).decode()

    for wrong in (value[:-2], value.upper(), f"A{value}", content, forged, ".", ""):
        browser = desk.browser(Cookie=f"{name}={wrong}")
        assert (await browser.get(ada.path)).status_code == HTTPStatus.FORBIDDEN


async def test_all_visits_of_a_browser_share_one_bounded_cookie(desk: Desk) -> None:
    keys = [f"person-{number}" for number in range(MAX_VISITS + 5)]
    session, browser = await desk.send(recipients=tuple(recipient(key, 1) for key in keys)), desk.browser()
    for key in keys:
        await browser.post(desk.link(session, key))

    [(name, value)] = browser.cookies.items()
    assert len(name) + len(value) < 2500
    paths = [f"/signing/{desk.recipient(session, key).recipient_id}/decline" for key in keys]
    answers = [(await browser.get(path)).status_code for path in paths]
    assert answers == [HTTPStatus.FORBIDDEN] * 5 + [HTTPStatus.OK] * MAX_VISITS


async def test_opening_twice_is_one_visit(desk: Desk, session: Session, ada: Visitor) -> None:
    [before] = ada.browser.cookies.values()
    await ada.browser.post(desk.link(session))
    [after] = ada.browser.cookies.values()
    assert len(after) == len(before)


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Your browser blocks cookies"), ("de", "Ihr Browser blockiert Cookies")]
)
async def test_a_browser_without_cookies_gets_a_page_about_them_in_its_language(
    desk: Desk, language: str, title: str
) -> None:
    session = await desk.send(language=language)
    opened = await desk.browser().post(desk.link(session))

    answer = await desk.browser(**{"Accept-Language": "fr"}).get(opened.headers["location"])

    assert (answer.status_code, title in Page(answer.text).words) == (HTTPStatus.FORBIDDEN, True)


@pytest.mark.parametrize("opened", ["de-{}", "", "de", "-", "de-²", "de-9" * 9, "de--1"])
async def test_a_page_whose_cookie_has_expired_says_nothing_of_blocked_cookies(
    desk: Desk, session: Session, opened: str
) -> None:
    long_ago = int(datetime.now(UTC).timestamp()) - LIFETIME
    path = f"/signing/{desk.recipient(session, 'ada').recipient_id}"
    answer = await desk.browser().get(path, params={"opened": opened.format(long_ago)})
    assert "Open your link again" in Page(answer.text).words


async def test_the_cookie_does_not_hold_the_secret_of_the_link(desk: Desk, session: Session, ada: Visitor) -> None:
    secret = desk.link(session).removeprefix("/sign/")[43:]

    page = await ada.browser.get(ada.path)

    [value] = ada.browser.cookies.values()
    assert secret not in value
    assert secret not in page.text
    assert KEYS.cookie.decode() not in value


async def test_a_newer_invitation_ends_the_visit_by_the_older_link(desk: Desk, session: Session, ada: Visitor) -> None:
    form = (await ada.look()).form()
    person = desk.recipient(session, "ada")
    await desk.change(desk.session(session).with_recipient(person, invitation=person.invitation.next()))

    answers = [await ada.browser.get(ada.path), await ada.post_form(form)]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 2


async def test_a_second_tab_does_not_spoil_the_form_of_the_first(desk: Desk, session: Session, ada: Visitor) -> None:
    first = (await ada.look()).form()["csrf"]
    await ada.browser.post(desk.link(session))
    assert (await ada.look()).form()["csrf"] == first


async def test_a_visit_ends_after_twelve_hours(desk: Desk, ada: Visitor) -> None:
    [(name, value)] = ada.browser.cookies.items()
    signer = Signer(KEYS.cookie, salt="undersign.visits", **SIGNING)
    content = urlsafe_b64decode(signer.unsign(value) + b"==")
    began = int.from_bytes(content[:4], "big")

    for seconds, status in ((LIFETIME - 60, HTTPStatus.OK), (LIFETIME + 60, HTTPStatus.FORBIDDEN)):
        then = (began - seconds).to_bytes(4, "big") + content[4:]
        cookie = signer.sign(urlsafe_b64encode(then).rstrip(b"=")).decode()
        assert (await desk.browser(Cookie=f"{name}={cookie}").get(ada.path)).status_code == status
