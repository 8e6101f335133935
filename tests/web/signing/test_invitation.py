from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import pytest

from domain.session.recipients import RecipientStatus, RecipientVerification
from domain.session.sender import Sender
from domain.session.session import Session
from domain.session.signing_links import link_secret, make_token
from tests.builders import ORGANISATION, audit, submission
from tests.fakes.sessions import LINK_KEY
from tests.web.desk import BASE_URL, Desk
from tests.web.html import Page


async def test_the_invitation_names_sender_recipient_and_documents_and_no_other_recipient(desk: Desk) -> None:
    session = await desk.send(message="Please sign\nby Friday.")

    answer = await desk.browser().get(desk.link(session))

    page = Page(answer.text)
    assert answer.status_code == HTTPStatus.OK
    for words in ("Northwind Trading", "Consulting agreement", "Ada", "Please sign\nby Friday.", "Agreement 1"):
        assert words in page.words
    assert "Grace" not in answer.text
    assert "grace@example.com" not in answer.text
    assert page.all("form") == [{"method": "post", "action": desk.link(session)}]


async def test_looking_at_a_link_changes_nothing_and_leaves_no_cookie(desk: Desk, session: Session) -> None:
    """Mail scanners open links."""

    answers = [await desk.browser().get(desk.link(session)), await desk.browser().head(desk.link(session))]

    assert desk.session(session) == session
    assert [answer.status_code for answer in answers] == [HTTPStatus.OK] * 2
    assert all("set-cookie" not in answer.headers for answer in answers)


async def test_opening_counts_as_viewed_and_sets_a_cookie_of_this_host_for_an_address_without_the_token(
    desk: Desk, session: Session
) -> None:
    answer = await desk.browser(**{"User-Agent": "a browser"}).post(desk.link(session))

    ada, cookie = desk.recipient(session, "ada"), answer.headers["set-cookie"]
    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert answer.headers["location"].startswith(f"/signing/{ada.recipient_id}?opened=en-")
    assert ada.status is RecipientStatus.VIEWED
    assert cookie.startswith("__Host-undersign-visits=")
    assert {"Secure", "HttpOnly", "Path=/", "Max-Age=43200", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_opening_again_on_the_same_device_tells_the_session_nothing(desk: Desk, session: Session) -> None:
    browser = desk.browser(**{"User-Agent": "a browser"})
    await browser.post(desk.link(session))
    desk.sessions.runs.is_away = True

    again = await browser.post(desk.link(session))
    elsewhere = await desk.browser(**{"User-Agent": "another browser"}).post(desk.link(session))

    assert again.status_code == HTTPStatus.SEE_OTHER
    assert elsewhere.status_code == HTTPStatus.SERVICE_UNAVAILABLE


async def test_over_plain_http_the_cookie_has_a_name_that_browsers_accept_there() -> None:
    desk = Desk(base_url="http://127.0.0.1:8080")
    session = await desk.send()

    cookie = (await desk.browser().post(desk.link(session))).headers["set-cookie"]

    assert cookie.startswith("undersign-")
    assert "Secure" not in cookie


@pytest.mark.parametrize("token", ["x", "A" * 86, "ä", "%00", "<script>", "A" * 5000])
async def test_a_malformed_link_gets_a_page(desk: Desk, token: str) -> None:
    answer = await desk.browser().get(f"/sign/{token}")
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "This link doesn’t work" in Page(answer.text).words
    assert "<script" not in answer.text


async def test_a_recipient_before_their_turn_sees_a_page_that_says_so(desk: Desk, session: Session) -> None:
    grace = desk.recipient(session, "grace")
    await desk.change(session.with_recipient(grace, invitation=grace.invitation.next()))

    answer = await desk.browser().get(desk.link(session, "grace"))

    assert answer.status_code == HTTPStatus.CONFLICT
    assert "It’s not your turn yet" in Page(answer.text).words


async def test_a_link_that_arrives_before_the_row_knows_of_it_asks_for_patience(desk: Desk, session: Session) -> None:
    ada = desk.recipient(session, "ada")
    mailed = link_secret(LINK_KEY, session.session_id, ada.recipient_id, ada.invitation.number + 1)

    answer = await desk.browser().get(f"/sign/{make_token(ORGANISATION, session.session_id, mailed)}")

    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert int(answer.headers["retry-after"]) > 0


async def test_a_withdrawn_session_is_no_longer_available(desk: Desk, session: Session) -> None:
    await desk.change(session.archive(audit()).session)
    answers = [await desk.browser().get(desk.link(session)), await desk.browser().post(desk.link(session))]
    assert [answer.status_code for answer in answers] == [HTTPStatus.GONE] * 2
    words = Page(answers[0].text).words
    assert "Northwind Trading has withdrawn “" in words
    assert "The reason given" not in words


async def test_recipients_read_the_reason_of_a_withdrawal(desk: Desk, session: Session) -> None:
    await desk.change(session.archive(audit(), "The fee was wrong.\n<b>Sorry</b>").session)
    page = Page((await desk.browser().get(desk.link(session))).text)
    assert "The reason given" in page.words
    assert "The fee was wrong.\n<b>Sorry</b>" in page.words


async def test_a_recipient_who_has_signed_can_open_the_copy(desk: Desk, session: Session) -> None:
    ada = desk.recipient(session, "ada")
    link = desk.link(session)
    signed = session.sign(ada.recipient_id, submission(), audit(datetime.now(UTC))).session
    await desk.change(signed)

    answer = await desk.browser().get(link)
    opened = await desk.browser().post(link)

    assert answer.status_code == HTTPStatus.OK
    assert "You’ve signed this" in Page(answer.text).words
    assert opened.headers["location"].startswith(f"/signing/{ada.recipient_id}?")
    assert desk.session(session) == signed.with_next_revision()


async def test_while_the_engine_is_away_a_link_asks_for_patience(desk: Desk, session: Session) -> None:
    desk.sessions.runs.is_away = True

    shown, opened = await desk.browser().get(desk.link(session)), await desk.browser().post(desk.link(session))

    assert shown.status_code == HTTPStatus.OK  # the row knows it
    assert opened.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert opened.headers["retry-after"] == "30"
    assert "set-cookie" not in opened.headers
    assert "Nothing has been lost" in Page(opened.text).words


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://sign.example.com.evil.example"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": BASE_URL, "Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_another_site_cannot_open_a_link(desk: Desk, headers: dict[str, str], session: Session) -> None:
    assert (await desk.browser(**headers).post(desk.link(session))).status_code == HTTPStatus.FORBIDDEN
    assert desk.session(session) == session


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": BASE_URL},
        {"Origin": BASE_URL, "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},  # what browsers send from a page without referrer
        {"Origin": "null"},  # and older ones
        {},
    ],
)
async def test_our_own_page_opens_a_link(desk: Desk, headers: dict[str, str], session: Session) -> None:
    assert (await desk.browser(**headers).post(desk.link(session))).status_code == HTTPStatus.SEE_OTHER


async def test_names_and_messages_are_text_never_markup(desk: Desk) -> None:
    nasty = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    session = await desk.send(message=nasty, organisation_name=nasty)

    answer = await desk.browser().get(desk.link(session))

    page = Page(answer.text)
    assert nasty in page.words
    assert page.all("script") == page.all("img") == []


@pytest.mark.parametrize(
    "sender",
    [{"sender": Sender(name="Robin Finch", email="robin@northwind.example")}, {"sender_email": "a+b@x.example"}],
)
async def test_every_page_names_the_address_for_questions(desk: Desk, sender: dict[str, Any]) -> None:
    session = await desk.send(delegation=True, **sender)
    ada = await desk.come_in(session)
    paths = [desk.link(session), ada.path, f"{ada.path}/decline", f"{ada.path}/delegate"]
    pages = [Page((await ada.browser.get(path)).text) for path in paths]
    await desk.change(desk.session(session).archive(audit()).session)
    pages.append(Page((await ada.browser.get(ada.path)).text))
    coded = await desk.send(recipient_verification=RecipientVerification.EMAIL_CODE, **sender)
    pages.append(Page((await desk.browser().post(desk.link(coded), follow_redirects=True)).text))

    expected = f"mailto:{quote(session.reply_to or '')}?subject=Consulting%20agreement"
    assert [expected in page.links() for page in pages] == [True] * len(pages)
